-- a view, as the records are: an export reads it once
{{ config(materialized='view') }}

with

records as (

    select * from {{ ref('exports__conflict_suite') }}
    where
        picture_state = 'available'
        and vision_family is not null

),

-- the COCO files repeat objects and categories where their splits overlap
mentions as (

    select
        *,
        row_number() over (
            partition by instance_id
            order by source_file, file_position
        ) as mention
    from {{ ref('stg_coco__instances') }}

),

categories as (

    select
        category_id,
        {{ first_by('category', 'source_file') }} as category,
        {{ first_by('supercategory', 'source_file') }} as supercategory
    from {{ ref('stg_coco__categories') }}
    group by category_id

),

-- several records show the same picture
pictures as (

    select
        image_path,
        shown_image_id,
        min(example_id) as example_id
    from records
    group by image_path, shown_image_id

),

final as (

    select
        pictures.image_path,
        pictures.shown_image_id,
        pictures.example_id,
        categories.category,
        categories.supercategory,
        mentions.bbox,
        mentions.segmentation_polygons,
        mentions.segmentation_rle_counts,
        mentions.segmentation_rle_string,
        mentions.segmentation_rle_size,
        mentions.instance_id,
        mentions.category_id,
        mentions.area,
        mentions.is_crowd
    from pictures
    inner join mentions
        on
            pictures.shown_image_id = mentions.source_image_id
            and mentions.mention = 1
    inner join categories
        on mentions.category_id = categories.category_id

)

select * from final
