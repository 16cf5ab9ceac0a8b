with

images as (

    select * from {{ ref('reality_check__images') }}

),

placed_images as (

    {{ seeded_places('images', 'rc_split', 'image_id', seed_var='reality_check_seed') }}

),

final as (

    select
        image_id,
        case
            when seeded_place + 1 <= n_places * {{ var('reality_check_dev_share') }} then 'dev'
            else 'test'
        end as split
    from placed_images

)

select * from final
