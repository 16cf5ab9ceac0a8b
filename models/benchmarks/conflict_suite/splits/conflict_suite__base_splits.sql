with

-- a picture that was taken down keeps its place, so that no other one moves to another split
source_images as (

    select distinct source_image_id
    from {{ ref('conflict_suite__screened') }}
    where
        is_retained
        or drop_stage = 'withdrawal'

),

placed_images as (

    {{ seeded_places('source_images', 'split', 'source_image_id') }}

),

-- shares are decimals, so that floor(0.7 * 90) is 63 and not what floating point makes of it
final as (

    select
        source_image_id,
        case
            when seeded_place < floor({{ decimal_var('conflict_suite_train_share') }} * n_places)
                then 'train'
            when
                seeded_place < floor({{ decimal_var('conflict_suite_train_share') }} * n_places)
                + floor({{ decimal_var('conflict_suite_val_share') }} * n_places)
                then 'val'
            else 'test_id'
        end as base_split,
        seeded_place as split_rank
    from placed_images

)

select * from final
