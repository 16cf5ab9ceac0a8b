with
agreed_questions as (
    select
        questions.source_image_id, questions.question_key, questions.first_answer,
        wordings.asked_words,
        questions.question || ' ' || questions.first_answer || ' '
        || cast(questions.n_of_first_answer as string) as told
    from {{ ref('certainly_uncertain__people_questions') }} as questions
    inner join {{ ref('certainly_uncertain__people_wordings') }} as wordings using (question)
    where
        questions.n_doubts = 0
        and questions.n_of_first_answer >= {{ var('certainly_uncertain_people_sure') }}
        and questions.n_sure >= {{ var('certainly_uncertain_people_sure') }}
),

-- a question that some picture leaves open about a thing that fills its slot
slot_questions as (
    select
        slot_sides.stem, slot_sides.question, wordings.asked_words,
        min(slot_sides.thing) as thing
    from {{ ref('certainly_uncertain__slot_sides') }} as slot_sides
    inner join {{ ref('uncertainty_stems') }} using (stem)
    inner join {{ ref('certainly_uncertain__people_wordings') }} as wordings
        on lower(slot_sides.question) = lower(wordings.question)
    where slot_sides.side = 'unanswerable'
    group by slot_sides.stem, slot_sides.question, wordings.asked_words
),

answered_stems as (
    select
        agreed_questions.*,
        stems.stem, stems.question,
        coalesce(stem_answers.answer, agreed_questions.first_answer) as answer,
        stems.stem as thing
    from agreed_questions
    inner join {{ ref('uncertainty_stem_questions') }} as stem_questions using (asked_words)
    inner join {{ ref('uncertainty_stems') }} as stems
        on stem_questions.stem = stems.stem
    inner join {{ ref('uncertainty_stem_answers') }} as stem_answers
        on
            stem_questions.stem = stem_answers.stem
            and {{ regexp_matches_whole(
                'agreed_questions.first_answer', 'stem_answers.people_answer'
            ) }}
    union all
    select
        agreed_questions.*,
        slot_questions.stem,
        slot_questions.question,
        agreed_questions.first_answer as answer,
        slot_questions.thing
    from agreed_questions
    inner join slot_questions using (asked_words)
)

-- who asks a picture twice, and gets two answers, has none
select
    answered_stems.source_image_id, stems.stem, stems.category,
    'answerable' as side,
    answered_stems.question,
    min(answered_stems.answer) as answer,
    min(answered_stems.thing) as thing,
    {{ array_agg('answered_stems.told', order_by='answered_stems.question_key') }} as texts_seen,
    true as is_supported,
    case when min(answered_stems.answer) <> max(answered_stems.answer) then 'several answers' end
        as contradiction
from answered_stems
inner join {{ ref('uncertainty_stems') }} as stems using (stem)
group by answered_stems.source_image_id, stems.stem, stems.category, answered_stems.question
