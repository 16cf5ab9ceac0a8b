with

-- a picture that was taken down keeps its place, so that no other one moves to another split
source_images as (

    select distinct source_image_id
    from {{ ref('conflict_suite__screened') }}
    where
        is_retained
        or drop_stage = 'withdrawal'

),

ranked_images as (

    select
        source_image_id,
        row_number() over (
            order by {{ seeded_order('split', 'source_image_id') }}, source_image_id
        ) - 1 as split_rank,
        count(*) over () as n_images
    from source_images

),

-- shares are decimals, so that floor(0.7 * 90) is 63 and not what floating point makes of it
final as (

    select
        source_image_id,
        case
            when split_rank < floor({{ decimal_var('conflict_suite_train_share') }} * n_images)
                then 'train'
            when
                split_rank < floor({{ decimal_var('conflict_suite_train_share') }} * n_images)
                + floor({{ decimal_var('conflict_suite_val_share') }} * n_images)
                then 'val'
            else 'test_id'
        end as base_split,
        split_rank
    from ranked_images

)

select * from final
