with
shown_records as (
    select
        carm.*, pictures.image, pictures.image_path, pictures.image_archive,
        pictures.license_name, pictures.license_url, pictures.flickr_url,
        pictures.photograph_name,
        nullif(coalesce(pictures.picture_state, 'not_landed'), 'available') as lack_of_picture,
        nullif(coalesce(pictures.name_state, 'not_of_coco'), 'available') as lack_of_name
    from {{ ref('conflict_suite_refined__carm') }} as carm
    -- that of another benchmark's record, where that one is built
    left join {{ ref('exports__example_pictures') }} as pictures
        on
            carm.picture_benchmark = pictures.benchmark
            and carm.picture_example_id = pictures.example_id
            and pictures.place = 1
)

-- a record stays out with those that it is balanced by: what is left of a base would tell the move
select
    'conflict_suite_refined' as benchmark,
    example_id, group_id, base_id, split, text_input, question, target, text_state, image_state,
    family, oracle_action, image, image_path, image_archive, license_name, license_url, flickr_url,
    photograph_name,
    coalesce(
        lack_of_picture,
        case
            when needs_hidden_picture then min(lack_of_picture) over base
            else min(lack_of_picture) over part_of_base
        end,
        'available'
    ) as picture_state,
    coalesce(
        lack_of_name,
        case
            when needs_hidden_picture then min(lack_of_name) over base
            else min(lack_of_name) over part_of_base
        end,
        'available'
    ) as name_state
from shown_records
window
    base as (partition by base_id),
    part_of_base as (partition by base_id, needs_hidden_picture)
