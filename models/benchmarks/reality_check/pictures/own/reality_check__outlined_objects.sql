-- a view, because its readers want few of its columns, and of few images
{{ config(materialized='view') }}
with
own_annotations as (
    select * from {{ ref('reality_check__own_annotations') }}
    where
        problem is null
        and caption is null
        and confidence > {{ var('detector_confidence') }}
),

-- what a network sees in a box counts where the file has no outline
own_outlines as (
    select * from {{ ref('reality_check__own_outlines') }}
    where rle is not null
),

own_objects as (
    select
        own_annotations.annotation_id, own_annotations.source_image_id, own_annotations.label,
        own_annotations.supercategory, own_annotations.bbox, own_annotations.segmentation_polygons,
        own_annotations.segmentation_rle_counts,
        coalesce(own_annotations.segmentation_rle_string, own_outlines.rle)
            as segmentation_rle_string,
        coalesce(own_annotations.segmentation_rle_size, own_outlines.rle_size)
            as segmentation_rle_size,
        own_annotations.file_position,
        coalesce(own_outlines.area, own_annotations.area) as area,
        own_annotations.confidence, own_annotations.is_crowd,
        own_annotations.segmentation_polygons is not null
        or own_annotations.segmentation_rle_size is not null
        or own_outlines.annotation_id is not null as has_outline
    from own_annotations
    left join own_outlines using (annotation_id)
),

own_images as (
    select distinct source_image_id
    from {{ ref('reality_check__own_annotations') }}
    where problem is null and caption is null
),

-- who annotated a picture of COCO anew is heard alone
coco_objects as (
    select instances.*
    from {{ ref('images__instances') }} as instances
    left join own_images using (source_image_id)
    where own_images.source_image_id is null
)

select
    'coco-' || cast(instance_id as string) as object_id,
    source_image_id,
    category as label,
    supercategory, 'coco_instances' as truth_source, bbox, segmentation_polygons,
    segmentation_rle_counts, segmentation_rle_string, segmentation_rle_size,
    instance_id as place,
    area,
    cast(1 as double) as confidence,
    is_crowd, true as has_outline
from coco_objects
union all
select
    'own-' || md5(annotation_id) as object_id,
    source_image_id, label, supercategory, 'own_annotations' as truth_source, bbox,
    segmentation_polygons, segmentation_rle_counts, segmentation_rle_string, segmentation_rle_size,
    file_position as place,
    case when has_outline then area end as area,
    cast(confidence as double) as confidence,
    is_crowd, has_outline
from own_objects
