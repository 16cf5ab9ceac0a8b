with

images as (

    select * from {{ ref('reality_check__images') }}

),

objects as (

    select * from {{ ref('images__objects') }}
    where not is_crowd

),

-- the largest object; of two as large the first by label, then the one farther left
ranked_objects as (

    select
        objects.source_image_id as image_id,
        objects.object_id,
        objects.label,
        objects.truth_source,
        objects.bbox,
        objects.area_fraction,
        objects.mask_fraction,
        row_number() over (
            partition by objects.source_image_id
            order by
                objects.area_fraction desc,
                objects.label asc,
                {{ list_extract('objects.bbox', 1) }} asc,
                objects.object_id asc
        ) as size_rank
    from objects
    inner join images
        on objects.source_image_id = images.image_id

),

final as (

    select
        image_id,
        object_id,
        label,
        truth_source,
        bbox,
        area_fraction,
        mask_fraction
    from ranked_objects
    where size_rank = 1

)

select * from final
