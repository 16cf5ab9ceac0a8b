{{ config(materialized=kept_as('clash-sft')) }}
with
records as (
    select * from {{ ref('exports__clash_finetuning') }}
    where picture_state = 'available' or name_state = 'available'
)

select
    example_id, sample_id, condition, split, source_image_id, change_type, category, license_name,
    license_url, flickr_url,
    concat_ws(
        chr(10),
        'Caption: ' || caption_shown,
        'Question: ' || question,
        choices_text,
        {{ instruction('export_choice_instruction') }}
    ) as prompt,
    '(' || right_letter || ') ' || right_choice as target,
    image, image_path, image_archive, photograph_name, picture_state, name_state
from records
