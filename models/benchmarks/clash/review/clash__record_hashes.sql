-- a view: one hash of each candidate, which two models read
{{ config(materialized='view') }}
select
    sample_id,
    md5({{ canonical_row([
        'source_image_id', 'original_caption', 'conflicting_caption', 'question',
        'image_only_answer', 'text_only_answer', 'distractor_answer',
    ]) }}) as record_md5
from {{ ref('clash__candidates') }}
