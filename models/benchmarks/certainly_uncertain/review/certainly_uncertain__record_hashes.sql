-- a view: one hash of each pair, which two models read
{{ config(materialized='view') }}
with
pairs as (
    select
        pair_id,
        case
            when open_image_id <> source_image_id then source_image_id || ' ' || open_image_id
            else source_image_id
        end as source_image_id,
        category, answerable_question, answerable_answer, unanswerable_question,
        unanswerable_answer, rle
    from {{ ref('certainly_uncertain__pair_candidates') }}
)

select
    pair_id,
    md5({{ canonical_row([
        'source_image_id', 'category', 'answerable_question', 'answerable_answer',
        'unanswerable_question', 'unanswerable_answer', 'rle',
    ]) }}) as record_md5
from pairs
