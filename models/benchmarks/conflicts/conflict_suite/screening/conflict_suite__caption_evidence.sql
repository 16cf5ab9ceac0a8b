{%- set comparable_tokens -%}
    case
        when questions.answer_type = 'integer'
            then {{ list_transform('captions.tokens', 'token', plain_digit_token('token')) }}
        else captions.tokens
    end
{%- endset -%}
with
questions as (
    select * from {{ ref('conflict_suite__question_findings') }}
    where gold_answer is not null
),

captions as (select * from {{ ref('images__captions') }}),

-- every caption that a question could see; numbers are compared as integers
question_captions as (
    select
        questions.question_id, captions.caption_id, captions.caption_position,
        questions.is_supported_by_absence,
        {{ list_length('questions.evidence_words') }} > 0 as has_evidence_words,
        {{ list_intersect('questions.evidence_words', comparable_tokens) }} as matched_words
    from questions
    inner join captions using (source_image_id)
)

-- a question without evidence words is supported by no caption
select
    question_id, caption_id, caption_position, matched_words, has_evidence_words
    and ({{ list_length('matched_words') }} > 0) <> is_supported_by_absence as is_support
from question_captions
