{{ config(materialized=kept_as('action-sft')) }}
with
records as (
    select * from {{ ref('exports__records') }}
    where
        (picture_state = 'available' or name_state = 'available')
        and oracle_action is not null
)

select
    benchmark, example_id, split, question, text_input, oracle_action, target, image, image_path,
    image_archive, photograph_name, picture_state, name_state, is_two_sided
from records
