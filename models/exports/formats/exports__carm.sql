{{ config(materialized=kept_as('carm')) }}

select
    benchmark, example_id, group_id, base_id, split, text_input, question,
    coalesce(target, {{ instruction('export_abstention') }}) as target,
    text_state, image_state, family, oracle_action, license_name, license_url, flickr_url, image,
    image_path, image_archive, photograph_name, picture_state, name_state
from {{ ref('exports__carm_mix') }}
where picture_state = 'available' or name_state = 'available'
