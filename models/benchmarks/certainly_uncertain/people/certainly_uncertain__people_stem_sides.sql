with
answered_stems as (
    select
        questions.source_image_id,
        questions.question_key,
        stem_questions.stem,
        stem_answers.answer,
        questions.question || ' ' || questions.first_answer || ' '
        || cast(questions.n_of_first_answer as string) as told
    from {{ ref('certainly_uncertain__people_questions') }} as questions
    inner join {{ ref('certainly_uncertain__people_wordings') }} using (question)
    inner join {{ ref('uncertainty_stem_questions') }} as stem_questions using (asked_words)
    inner join {{ ref('uncertainty_stem_answers') }} as stem_answers
        on
            stem_questions.stem = stem_answers.stem
            and questions.first_answer = stem_answers.people_answer
    where
        questions.n_doubts = 0
        and questions.n_of_first_answer >= {{ var('certainly_uncertain_people_sure') }}
        and questions.n_sure >= {{ var('certainly_uncertain_people_sure') }}
)

-- who asks a picture twice, and gets two answers, has none
select
    answered_stems.source_image_id,
    stems.stem,
    stems.category,
    'answerable' as side,
    stems.question,
    min(answered_stems.answer) as answer,
    stems.stem as thing,
    {{ array_agg('answered_stems.told', order_by='answered_stems.question_key') }} as texts_seen,
    true as is_supported,
    case when min(answered_stems.answer) <> max(answered_stems.answer) then 'several answers' end
        as contradiction
from answered_stems
inner join {{ ref('uncertainty_stems') }} as stems using (stem)
group by answered_stems.source_image_id, stems.stem, stems.category, stems.question
