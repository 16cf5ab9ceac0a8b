-- a view, because its readers want few of its columns, and of few images
{{ config(materialized='view') }}

with

instances as (

    select * from {{ ref('images__instances') }}

),

own_objects as (

    select
        *,
        segmentation_polygons is not null or segmentation_rle_size is not null as has_outline
    from {{ ref('images__own_annotations') }}
    where
        problem is null
        and caption is null
        and confidence > {{ var('detector_confidence') }}

),

own_images as (

    select distinct source_image_id
    from {{ ref('images__own_annotations') }}
    where problem is null and caption is null

),

-- who annotated a picture of COCO anew is heard alone
coco_objects as (

    select instances.*
    from instances
    left join own_images
        on instances.source_image_id = own_images.source_image_id
    where own_images.source_image_id is null

),

final as (

    select
        'coco-' || cast(instance_id as {{ dbt.type_string() }}) as object_id,
        source_image_id,
        category as label,
        supercategory,
        'coco_instances' as truth_source,
        bbox,
        segmentation_polygons,
        segmentation_rle_counts,
        segmentation_rle_string,
        segmentation_rle_size,
        instance_id as place,
        area,
        cast(1 as double) as confidence,
        is_crowd,
        true as has_outline
    from coco_objects
    union all
    select
        'own-' || md5(annotation_id) as object_id,
        source_image_id,
        label,
        supercategory,
        'own_annotations' as truth_source,
        bbox,
        segmentation_polygons,
        segmentation_rle_counts,
        segmentation_rle_string,
        segmentation_rle_size,
        file_position as place,
        case when has_outline then area end as area,
        cast(confidence as double) as confidence,
        is_crowd,
        has_outline
    from own_objects

)

select * from final
