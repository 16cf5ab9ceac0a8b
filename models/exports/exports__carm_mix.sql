select
    'conflict_suite_refined' as benchmark,
    carm.example_id, carm.group_id, carm.base_id, carm.split, carm.text_input, carm.question,
    carm.target, carm.text_state, carm.family, carm.oracle_action, pictures.image,
    pictures.image_path, pictures.image_archive, pictures.license_name, pictures.license_url,
    pictures.flickr_url, pictures.photograph_name,
    coalesce(pictures.picture_state, 'not_landed') as picture_state,
    coalesce(pictures.name_state, 'not_of_coco') as name_state
from {{ ref('conflict_suite_refined__carm') }} as carm
-- the base's own picture, as it is
left join {{ ref('exports__example_pictures') }} as pictures
    on
        pictures.benchmark = 'conflict_suite'
        and carm.base_id || '::clean' = pictures.example_id
        and pictures.place = 1
