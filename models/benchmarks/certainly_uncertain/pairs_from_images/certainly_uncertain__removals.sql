with

candidates as (

    select * from {{ ref('certainly_uncertain__removable_objects') }}

),

masks as (

    select * from {{ ref('certainly_uncertain__object_masks') }}

),

final as (

    select
        candidates.pair_id,
        candidates.source_image_id,
        candidates.object_name,
        masks.rle,
        masks.mask_error,
        masks.area_share
    from candidates
    inner join masks
        on
            candidates.source_image_id = masks.source_image_id
            and candidates.object_name = masks.object_name

)

select * from final
