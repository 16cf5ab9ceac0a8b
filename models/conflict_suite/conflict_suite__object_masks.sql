with

wanted as (

    select distinct
        source_image_id,
        categories,
        width,
        height
    from {{ ref('conflict_suite__question_objects') }}
    where categories is not null

),

instances as (

    select * from {{ ref('images__instances') }}

),

segmented as (

    select
        wanted.source_image_id,
        wanted.categories,
        wanted.width,
        wanted.height,
        count(*) as n_instances,
        {{ list_by(
            record_of(
                polygons='instances.segmentation_polygons',
                counts='instances.segmentation_rle_counts',
                string='instances.segmentation_rle_string',
                size='instances.segmentation_rle_size'
            ),
            order_by='instances.instance_id'
        ) }} as segmentations
    from wanted
    inner join instances
        on
            wanted.source_image_id = instances.source_image_id
            and {{ contains_text(
                "', ' || wanted.categories || ', '", "', ' || instances.category || ', '"
            ) }}
    group by wanted.source_image_id, wanted.categories, wanted.width, wanted.height

),

united as (

    select
        source_image_id,
        categories,
        width,
        height,
        n_instances,
        gs_union_mask(segmentations, height, width) as object_mask
    from segmented

),

grown as (

    select
        *,
        gs_dilated_mask(
            {{ field_of('object_mask', 'rle') }}, height, width, {{ var('mask_dilation_pixels') }}
        ) as target_mask
    from united

),

final as (

    select
        source_image_id,
        categories,
        {{ field_of('object_mask', 'rle') }} as object_rle,
        {{ field_of('target_mask', 'rle') }} as target_rle,
        {{ field_of('object_mask', 'error') }} as mask_error,
        width,
        height,
        n_instances,
        {{ field_of('object_mask', 'area') }} as object_area,
        {{ field_of('target_mask', 'area') }} as target_area
    from grown

)

select * from final
