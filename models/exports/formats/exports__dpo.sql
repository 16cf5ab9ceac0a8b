{{ config(materialized=kept_as('dpo')) }}
with
records as (
    select * from {{ ref('exports__records') }}
    where picture_state = 'available' or name_state = 'available'
)

select
    benchmark, example_id, split, prompt, target, rejected, image, image_path, image_archive,
    photograph_name, picture_state, name_state, is_two_sided
from records
