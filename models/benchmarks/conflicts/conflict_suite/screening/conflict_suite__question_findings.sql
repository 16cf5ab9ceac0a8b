with
answer_forms as (
    select * from {{ ref('answer_forms') }}
    where is_gold_form
),

number_words as (
    select surface as word, canonical as digits
    from answer_forms
    where answer_type = 'integer'
),

-- one row that carries the whole list
subject_stop_words as (
    select {{ array_agg('word', order_by='word') }} as stop_words
    from {{ vocabulary('conflict_suite', 'subject_stop_words') }} as listed_words
),

normalized_questions as (
    select
        *,
        {{ normalized_text('question') }} as question_normalized,
        {{ normalized_text('multiple_choice_answer') }} as answer_normalized
    from {{ ref('conflict_suite__candidates') }}
),

questions as (
    select *, {{ regexp_extract('question_normalized', '^[a-z0-9_]+') }} as first_word
    from normalized_questions
),

-- a question opens with a family's word, or with its phrase and a space; openings exclude
-- each other, so at most one fits a question
matching_openings as (
    select questions.question_id, openings.family
    from questions
    inner join {{ ref('question_openings') }} as openings
        on
            (openings.opening_kind = 'first_word' and questions.first_word = openings.opening)
            or (
                openings.opening_kind = 'phrase'
                and questions.question_normalized like openings.opening || ' %'
            )
    where questions.is_annotated
),

-- each answer type has one closed vocabulary; an answer outside it has no gold answer
answered_questions as (
    select
        questions.*,
        families.family, families.answer_type, families.evidence_modality,
        {{ canonical_answer(
            'questions.answer_normalized', 'families.answer_type', 'answer_forms.canonical'
        ) }} as gold_answer
    from questions
    left join matching_openings using (question_id)
    left join {{ ref('question_families') }} as families
        on matching_openings.family = families.family
    left join answer_forms
        on
            families.answer_type = answer_forms.answer_type
            and questions.answer_normalized = answer_forms.surface
)

select
    questions.question_id, questions.source_image_id, questions.family, questions.answer_type,
    questions.evidence_modality, questions.gold_answer,
    -- the words whose presence in a caption bears on the answer: the subject's tokens for
    -- existence, the number as digits and as a word for a count, the colour itself
    case
        when questions.gold_answer is null then null
        when questions.answer_type = 'boolean'
            then {{ long_tokens('questions.question', 'subject_stop_words.stop_words') }}
        when questions.answer_type = 'integer'
            then {{ list_value('questions.gold_answer', 'number_words.word') }}
        else {{ list_value('questions.gold_answer') }}
    end as evidence_words,
    withdrawn_images.reason as withdrawal_detail,
    -- a caption without the words supports one answer alone: that the thing is not there
    questions.answer_type = 'boolean' and questions.gold_answer = 'no'
        as is_supported_by_absence,
    -- the question has an annotation of its own image
    questions.is_annotated as passes_annotation,
    -- the question opens like a family
    case when questions.is_annotated then questions.family is not null end as passes_family,
    -- the annotated answer is in the closed vocabulary of the family
    case when questions.family is not null then questions.gold_answer is not null end
        as passes_normalization,
    -- `gainsay withdraw` did not take the picture down
    withdrawn_images.source_image_id is null as passes_withdrawal
from answered_questions as questions
left join number_words on questions.gold_answer = number_words.digits
left join {{ ref('stg_gainsay__withdrawn_images') }} as withdrawn_images using (source_image_id)
cross join subject_stop_words
