with

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}
    where is_annotated

),

openings as (

    select * from {{ ref('question_openings') }}

),

families as (

    select * from {{ ref('question_families') }}

),

normalized_questions as (

    select
        question_id,
        {{ normalized_text('question') }} as question_normalized
    from candidates

),

questions as (

    select
        question_id,
        question_normalized,
        {{ regexp_extract('question_normalized', '^[a-z0-9_]+') }} as first_word
    from normalized_questions

),

-- a question opens with a family's word, or with its phrase and a space; openings exclude
-- each other, so at most one fits a question
matching_openings as (

    select
        questions.question_id,
        openings.family
    from questions
    inner join openings
        on
            (openings.opening_kind = 'first_word' and questions.first_word = openings.opening)
            or (
                openings.opening_kind = 'phrase'
                and questions.question_normalized like openings.opening || ' %'
            )

),

final as (

    select
        questions.question_id,
        families.family,
        families.answer_type,
        families.evidence_modality,
        matching_openings.question_id is not null as is_passed
    from questions
    left join matching_openings
        on questions.question_id = matching_openings.question_id
    left join families
        on matching_openings.family = families.family

)

select * from final
