with

images as (

    select * from {{ ref('reality_check__images') }}

),

-- pictures that belong together are in one split; a picture of no group is one of its own
grouped_images as (

    select
        image_id,
        coalesce('group-' || split_group, image_id) as split_key
    from images

),

split_keys as (

    select distinct split_key
    from grouped_images

),

placed_keys as (

    {{ seeded_places('split_keys', 'rc_split', 'split_key', seed_var='reality_check_seed') }}

),

final as (

    select
        grouped_images.image_id,
        case
            when
                placed_keys.seeded_place + 1
                <= placed_keys.n_places * {{ var('reality_check_dev_share') }}
                then 'dev'
            else 'test'
        end as split
    from grouped_images
    inner join placed_keys
        on grouped_images.split_key = placed_keys.split_key

)

select * from final
