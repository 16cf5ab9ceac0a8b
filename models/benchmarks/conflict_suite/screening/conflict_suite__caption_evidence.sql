{%- set comparable_tokens -%}
    case
        when evidence_words.answer_type = 'integer'
            then {{ list_transform('captions.tokens', 'token', plain_digit_token('token')) }}
        else captions.tokens
    end
{%- endset -%}
with

evidence_words as (

    select * from {{ ref('conflict_suite__evidence_words') }}

),

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}

),

captions as (

    select * from {{ ref('images__captions') }}

),

-- every caption that a question could see; numbers are compared as integers
question_captions as (

    select
        evidence_words.question_id,
        captions.caption_id,
        captions.caption_position,
        evidence_words.is_supported_by_absence,
        {{ list_length('evidence_words.evidence_words') }} > 0 as has_evidence_words,
        {{ list_intersect('evidence_words.evidence_words', comparable_tokens) }} as matched_words
    from evidence_words
    inner join candidates
        on evidence_words.question_id = candidates.question_id
    inner join captions
        on candidates.source_image_id = captions.source_image_id

),

-- a question without evidence words is supported by no caption
final as (

    select
        question_id,
        caption_id,
        caption_position,
        matched_words,
        has_evidence_words
        and ({{ list_length('matched_words') }} > 0) <> is_supported_by_absence as is_support
    from question_captions

)

select * from final
