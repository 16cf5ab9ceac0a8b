with
questions as (
    select distinct question from {{ ref('stg_vqa__questions') }}
),

texts as (
    select question as text_id, {{ tokens('question') }} as tokens from questions
),

mentions as (
    {{ object_mentions('texts') | indent }}
)

select text_id as question, category, phrase, position, end_position, is_certain
from mentions
