{{ config(materialized=kept_as('lmms-eval')) }}

-- the words that answers are read by:
{%- for seed in ['answer_forms', 'answer_words', 'evaluation_vocabulary', 'idk_phrases'] %}
-- depends_on: {{ ref(seed) }}
{%- endfor %}
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
    scoring_group_id, scoring_group_size, is_abstention_right,
    image, image_path, image_archive
from records
