{{ config(materialized=kept_as('lmms-eval')) }}

-- depends_on: {{ ref('idk_phrases') }}
with
records as (
    select * from {{ ref('exports__records') }}
    where picture_state = 'available'
)

select
    benchmark,
    {{ record_fields() }},
    prompt,
    target,
    {{ instruction('export_abstention') }} as abstention,
    image, image_path, image_archive
from records
