{{ config(materialized=kept_as('hugging-face')) }}
with
records as (
    select * from {{ ref('exports__records') }}
    where picture_state = 'available'
)

select
    benchmark,
    {{ record_fields() }},
    target, answer_shares, doubt_share, image, image_path, image_archive
from records
