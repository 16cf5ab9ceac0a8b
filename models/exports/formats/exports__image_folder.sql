{{ config(materialized=kept_as('image-folder')) }}
with
records as (
    select * from {{ ref('exports__records') }}
    where picture_state = 'available'
)

select
    benchmark,
    {{ record_fields() }},
    target, image, image_path, image_archive
from records
