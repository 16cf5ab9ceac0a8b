with

images as (

    select * from {{ ref('reality_check__images') }}

),

ranked_images as (

    select
        image_id,
        row_number() over (
            order by
                {{ seeded_order('rc_split', 'image_id', seed_var='reality_check_seed') }},
                image_id
        ) as image_rank,
        count(*) over () as n_images
    from images

),

final as (

    select
        image_id,
        case
            when image_rank <= n_images * {{ var('reality_check_dev_share') }} then 'dev'
            else 'test'
        end as split
    from ranked_images

)

select * from final
