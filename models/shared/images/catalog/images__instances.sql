-- a view, because its readers want few of its columns, and of few images
{{ config(materialized='view') }}
with
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
        {{ min_by('category', 'source_file') }} as category,
        {{ min_by('supercategory', 'source_file') }} as supercategory
    from {{ ref('stg_coco__categories') }}
    group by category_id
)

select
    mentions.instance_id, mentions.source_image_id, mentions.category_id, categories.category,
    categories.supercategory, mentions.bbox, mentions.segmentation_polygons,
    mentions.segmentation_rle_counts, mentions.segmentation_rle_string,
    mentions.segmentation_rle_size, mentions.area, mentions.is_crowd
from mentions
inner join categories using (category_id)
where mentions.mention = 1
