with

family_questions as (

    select * from {{ ref('conflict_suite__family_gate') }}
    where is_passed

),

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}

),

answer_forms as (

    select * from {{ ref('answer_forms') }}
    where is_gold_form

),

answers as (

    select
        family_questions.question_id,
        family_questions.answer_type,
        {{ normalized_text('candidates.multiple_choice_answer') }} as answer_normalized
    from family_questions
    inner join candidates
        on family_questions.question_id = candidates.question_id

),

-- each answer type has one closed vocabulary; an answer outside it has no gold answer
final as (

    select
        answers.question_id,
        answers.answer_type,
        answers.answer_normalized,
        {{ canonical_answer(
            'answers.answer_normalized', 'answers.answer_type', 'answer_forms.canonical'
        ) }} as gold_answer
    from answers
    left join answer_forms
        on
            answers.answer_type = answer_forms.answer_type
            and answers.answer_normalized = answer_forms.surface

)

select
    *,
    gold_answer is not null as is_passed
from final
