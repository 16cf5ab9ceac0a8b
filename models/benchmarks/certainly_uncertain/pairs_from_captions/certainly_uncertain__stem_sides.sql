{%- set split_key -%}
    coalesce('group-' || statements.split_group, ranked_sides.source_image_id)
{%- endset -%}
with
slot_sides as (select * from {{ ref('certainly_uncertain__slot_sides') }}),
stems as (select * from {{ ref('uncertainty_stems') }}),

stem_questions as (
    select asked_words, stem
    from
        {{ vocabulary(
            'certainly_uncertain', 'stem_questions', word='asked_words', value='stem'
        ) }} as listed_questions
),

-- what most people answer, and nobody doubts
agreed_questions as (
    select
        questions.source_image_id, questions.question_key, questions.first_answer,
        questions.n_of_first_answer,
        wordings.asked_words,
        questions.question || ' ' || questions.first_answer || ' '
        || cast(questions.n_of_first_answer as string) as told
    from {{ ref('certainly_uncertain__people_questions') }} as questions
    inner join {{ ref('certainly_uncertain__people_wordings') }} as wordings using (question)
    where
        questions.n_doubts = 0
        and questions.rival_answer is null
        and questions.n_of_first_answer >= {{ threshold('certainly_uncertain', 'people_sure') }}
        and questions.n_sure >= {{ threshold('certainly_uncertain', 'people_sure') }}
),

-- a question that some picture leaves open about a thing that fills its slot
slot_questions as (
    select
        slot_sides.stem, slot_sides.question, wordings.asked_words,
        min(slot_sides.thing) as thing
    from slot_sides
    inner join stems using (stem)
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
    inner join stem_questions using (asked_words)
    inner join stems on stem_questions.stem = stems.stem
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
),

-- who asks a picture twice, and gets two answers, has none
people_sides as {{ computed_once() }} (
    select
        answered_stems.source_image_id, stems.stem, stems.category,
        'answerable' as side,
        answered_stems.question,
        min(answered_stems.answer) as answer,
        min(answered_stems.thing) as thing,
        {{ array_agg('answered_stems.told', order_by='answered_stems.question_key') }}
            as texts_seen,
        true as is_supported,
        case
            when min(answered_stems.answer) <> max(answered_stems.answer) then 'several answers'
            -- where three of ten see something else, as white and black in a white dog, so it is
            when
                answered_stems.question like 'What color %'
                and max(answered_stems.n_of_first_answer)
                < {{ threshold('certainly_uncertain', 'people_agreement') }}
                then 'other colors'
        end as contradiction
    from answered_stems
    inner join stems using (stem)
    group by answered_stems.source_image_id, stems.stem, stems.category, answered_stems.question
),

-- what people who were asked the same of the picture answer, though fewer of them than it takes to
-- have the answer from them
told_questions as (
    select told_stems.source_image_id, told_stems.question, min(told_stems.told) as told
    from (
        select
            people_questions.source_image_id,
            coalesce(stems.question, slot_questions.question) as question,
            people_questions.question || ' ' || people_questions.first_answer as told
        from {{ ref('certainly_uncertain__people_questions') }} as people_questions
        inner join {{ ref('certainly_uncertain__people_wordings') }} using (question)
        left join stem_questions using (asked_words)
        left join stems on stem_questions.stem = stems.stem
        left join slot_questions using (asked_words)
        where
            people_questions.n_of_first_answer
            >= {{ threshold('certainly_uncertain', 'people_rival') }}
    ) as told_stems
    where told_stems.question is not null
    group by told_stems.source_image_id, told_stems.question
),

sides as (
    select * from {{ ref('certainly_uncertain__worded_sides') }}
    union all
    select * from people_sides
    union all
    select * {{ exclude('slot_side_id') }} from slot_sides
),

-- a question has one answer in a picture, or none: sides that nothing else speaks against may yet
-- deny each other
question_sides as (
    select source_image_id, category, question
    from sides
    where contradiction is null
    group by source_image_id, category, question
    having min(side) <> max(side) or min(answer) <> max(answer)
),

ranked_sides as (
    select
        sides.* {{ exclude('contradiction') }},
        case
            when sides.contradiction is null and question_sides.question is not null
                then 'another side of the question'
            when sides.side = 'unanswerable' then coalesce(sides.contradiction, told_questions.told)
            -- what looks gray may be silver, or in a picture without colors
            when sides.question like 'What color %' and unsure_colors.word is not null
                then 'a color that may be none'
            else sides.contradiction
        end as contradiction,
        row_number() over (
            partition by
                sides.source_image_id, sides.category, sides.question, sides.side, sides.answer
            order by
                case when sides.is_supported and sides.contradiction is null then 1 else 2 end,
                sides.stem,
                sides.thing,
                {{ array_join('sides.texts_seen', "' '") }},
                coalesce(sides.contradiction, '')
        ) as preference
    from sides
    left join question_sides using (source_image_id, category, question)
    left join told_questions using (source_image_id, question)
    left join {{ vocabulary('certainly_uncertain', 'unsure_colors') }} as unsure_colors
        on sides.answer = unsure_colors.word
)

select
    'cu-' || ranked_sides.category || '-' || ranked_sides.source_image_id || '-'
    || substr(
        md5(concat_ws(
            '|', ranked_sides.side, ranked_sides.question, coalesce(ranked_sides.answer, '')
        )), 1, 8
    ) as side_id,
    ranked_sides.source_image_id, ranked_sides.stem, ranked_sides.category, ranked_sides.side,
    ranked_sides.question, ranked_sides.answer, ranked_sides.thing, ranked_sides.texts_seen,
    ranked_sides.contradiction, ranked_sides.is_supported,
    ranked_sides.is_supported and ranked_sides.contradiction is null as is_sound,
    -- partners are sought within a half of the pictures, of which one is for testing
    {{ seeded_int('uncertainty_split', split_key, 10000) }}
    < 10000 * {{ threshold('certainly_uncertain', 'two_picture_test_share') }} as is_test_half
from ranked_sides
left join {{ ref('images__own_statements') }} as statements using (source_image_id)
where ranked_sides.preference = 1
