{{ config(materialized=kept_as('vlmevalkit')) }}

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
    benchmark, example_id, split, prompt, target, base_id, variant_id, question_id, source_image_id,
    text_input, family, operator, corrupt_modality, severity, answer_type, oracle_action,
    record_version, license_name, license_url, flickr_url,
    image as picture_file,
    picture_state, scoring_group_id, scoring_group_size, is_abstention_right,
    image, image_path, image_archive
from records
