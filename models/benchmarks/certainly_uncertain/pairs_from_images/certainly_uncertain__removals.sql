with
candidates as (select * from {{ ref('certainly_uncertain__removable_objects') }}),

scene_graphs as (
    select * from {{ ref('stg_gqa__scene_graphs') }}
    where occurrence = 1
),

-- several questions may ask about the same object
wanted_objects as (
    select distinct
        source_image_id,
        object_name
    from candidates
),

sized_objects as (
    select
        wanted_objects.source_image_id,
        wanted_objects.object_name,
        coalesce(images.width, scene_graphs.width, files.width) as width,
        coalesce(images.height, scene_graphs.height, files.height) as height
    from wanted_objects
    left join {{ ref('images__source_images') }} as images using (source_image_id)
    left join scene_graphs using (source_image_id)
    left join {{ ref('images__files') }} as files using (source_image_id)
),

segmented_objects as (
    select
        sized_objects.source_image_id,
        sized_objects.object_name,
        sized_objects.width,
        sized_objects.height,
        {{ array_agg(
            struct_pack(
                polygons='objects.segmentation_polygons',
                counts='objects.segmentation_rle_counts',
                string='objects.segmentation_rle_string',
                size='objects.segmentation_rle_size'
            ),
            order_by='objects.object_key'
        ) }} as segmentations
    from sized_objects
    inner join {{ ref('certainly_uncertain__picture_objects') }} as objects
        using (source_image_id, object_name)
    group by
        sized_objects.source_image_id,
        sized_objects.object_name,
        sized_objects.width,
        sized_objects.height
),

united_masks as (
    select
        *,
        gs_union_mask(segmentations, height, width) as object_mask
    from segmented_objects
),

masks as (
    select
        source_image_id,
        object_name,
        {{ struct_extract('object_mask', 'rle') }} as rle,
        case
            when width is null or height is null then 'the size of the picture is not landed'
            else {{ struct_extract('object_mask', 'error') }}
        end as mask_error,
        case
            when {{ struct_extract('object_mask', 'error') }} is null
                then
                    cast({{ struct_extract('object_mask', 'area') }} as double)
                    / (cast(width as double) * height)
        end as area_share
    from united_masks
)

select
    candidates.pair_id,
    candidates.source_image_id,
    candidates.object_name,
    masks.rle,
    masks.mask_error,
    masks.area_share
from candidates
inner join masks using (source_image_id, object_name)
