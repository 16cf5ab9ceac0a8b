-- a view: nothing of it is needed before a language model is asked
{{ config(materialized='view') }}

select pair_id, question, gold_answer
from {{ ref('certainly_uncertain__image_candidates') }}
where
    is_picture_known
    and not is_written_by_model
    and gold_answer is not null
    and empty_answer_kind is null
    and presence_words is null
    and number_words is null
