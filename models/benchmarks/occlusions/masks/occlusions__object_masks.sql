with

question_objects as (

    select * from {{ ref('occlusions__question_objects') }}
    where categories is not null

),

instances as (

    select * from {{ ref('images__instances') }}

),

-- several questions may ask for the same objects of an image
wanted_masks as (

    select distinct
        source_image_id,
        categories,
        width,
        height
    from question_objects

),

instance_masks as (

    select
        wanted_masks.source_image_id,
        wanted_masks.categories,
        wanted_masks.width,
        wanted_masks.height,
        count(*) as n_instances,
        bool_or(instances.is_crowd) as has_crowd,
        {{ array_agg(
            struct_pack(
                polygons='instances.segmentation_polygons',
                counts='instances.segmentation_rle_counts',
                string='instances.segmentation_rle_string',
                size='instances.segmentation_rle_size'
            ),
            order_by='instances.instance_id'
        ) }} as segmentations
    from wanted_masks
    inner join instances
        on
            wanted_masks.source_image_id = instances.source_image_id
            and contains(
                ', ' || wanted_masks.categories || ', ', ', ' || instances.category || ', '
            )
    group by
        wanted_masks.source_image_id,
        wanted_masks.categories,
        wanted_masks.width,
        wanted_masks.height

),

united_masks as (

    select
        source_image_id,
        categories,
        width,
        height,
        n_instances,
        has_crowd,
        gs_union_mask(segmentations, height, width) as object_mask
    from instance_masks

),

dilated_masks as (

    select
        *,
        gs_dilated_mask(
            {{ struct_extract('object_mask', 'rle') }},
            height,
            width,
            {{ var('occlusions_mask_dilation_pixels') }}
        ) as target_mask
    from united_masks

),

final as (

    select
        source_image_id,
        categories,
        {{ struct_extract('object_mask', 'rle') }} as object_rle,
        {{ struct_extract('target_mask', 'rle') }} as target_rle,
        {{ struct_extract('object_mask', 'error') }} as mask_error,
        width,
        height,
        n_instances,
        {{ struct_extract('object_mask', 'area') }} as object_area,
        {{ struct_extract('target_mask', 'area') }} as target_area,
        has_crowd
    from dilated_masks

)

select * from final
