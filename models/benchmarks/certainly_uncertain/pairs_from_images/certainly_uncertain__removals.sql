with
candidates as (select * from {{ ref('certainly_uncertain__removable_objects') }}),

named_outlines as (
    select * from {{ ref('certainly_uncertain__named_outlines') }}
    where rle is not null
),

-- a phrase that no category names has one outline for all its things
objects as (
    select * from {{ ref('certainly_uncertain__picture_objects') }}
    union all
    select
        source_image_id,
        object_name as object_key,
        object_name,
        cast(null as {{ engine_type('double[][]') }}) as segmentation_polygons,
        cast(null as {{ engine_type('bigint[]') }}) as segmentation_rle_counts,
        rle as segmentation_rle_string,
        rle_size as segmentation_rle_size,
        false as is_box, false as is_crowd
    from named_outlines
),

-- what a network sees in a box is nearer to the thing than the box
outlines as (
    select * from {{ ref('certainly_uncertain__scene_graph_outlines') }}
    where rle is not null
),

scene_graphs as (
    select * from {{ ref('stg_gqa__scene_graphs') }}
    where occurrence = 1
),

-- several questions may ask about the same object
wanted_objects as (
    select distinct source_image_id, object_name from candidates
),

sized_objects as (
    select
        wanted_objects.source_image_id, wanted_objects.object_name,
        coalesce(images.width, scene_graphs.width, files.width) as width,
        coalesce(images.height, scene_graphs.height, files.height) as height
    from wanted_objects
    left join {{ ref('images__source_images') }} as images using (source_image_id)
    left join scene_graphs using (source_image_id)
    left join {{ ref('images__files') }} as files using (source_image_id)
),

segmented_objects as (
    select
        sized_objects.source_image_id, sized_objects.object_name, sized_objects.width,
        sized_objects.height,
        {{ array_agg(
            struct_pack(
                polygons='case when outlines.rle is null then objects.segmentation_polygons end',
                counts='objects.segmentation_rle_counts',
                string='coalesce(outlines.rle, objects.segmentation_rle_string)',
                size='coalesce(outlines.rle_size, objects.segmentation_rle_size)'
            ),
            order_by='objects.object_key'
        ) }} as segmentations
    from sized_objects
    inner join objects using (source_image_id, object_name)
    left join outlines
        on
            objects.is_box
            and sized_objects.source_image_id = outlines.source_image_id
            and objects.object_key = outlines.object_key
            and sized_objects.height = {{ list_extract('outlines.rle_size', 1) }}
            and sized_objects.width = {{ list_extract('outlines.rle_size', 2) }}
    group by
        sized_objects.source_image_id,
        sized_objects.object_name, sized_objects.width, sized_objects.height
),

united_masks as (
    select *, gs_union_mask(segmentations, height, width) as object_mask
    from segmented_objects
),

masks as (
    select
        source_image_id, object_name,
        object_mask.rle as rle,
        case
            when width is null or height is null then 'the size of the picture is not landed'
            else object_mask.error
        end as mask_error,
        case
            when object_mask.error is null
                then
                    cast(object_mask.area as double)
                    / (cast(width as double) * height)
        end as area_share
    from united_masks
)

select
    candidates.pair_id, candidates.source_image_id, candidates.object_name, masks.rle,
    masks.mask_error, masks.area_share
from candidates
inner join masks using (source_image_id, object_name)
