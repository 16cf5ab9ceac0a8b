with
annotated_questions as (
    select
        'vqa-' || cast(questions.question_id as string) as question_key,
        'vqa' as origin,
        questions.question_id, questions.image_id, questions.source_image_id, questions.question
    from {{ ref('stg_vqa__questions') }} as questions
    inner join {{ ref('stg_vqa__annotations') }} as annotations
        using (question_id, image_id)
    where questions.occurrence = 1 and annotations.occurrence = 1
    union all
    select
        questions.question_set || '-' || questions.question_key as question_key,
        questions.question_set as origin,
        cast(null as bigint) as question_id,
        questions.image_id, questions.source_image_id, questions.question
    from {{ ref('stg_question_sets__questions') }} as questions
    inner join {{ ref('stg_question_sets__annotations') }} as annotations
        using (question_set, question_key)
    where questions.occurrence = 1 and annotations.occurrence = 1
    union all
    select
        question_set || '-' || question_key as question_key,
        question_set as origin,
        cast(null as bigint) as question_id,
        {{ min_by('image_id', 'source_file') }} as image_id,
        {{ min_by('source_image_id', 'source_file') }} as source_image_id,
        {{ min_by('question', 'source_file') }} as question
    from {{ ref('stg_question_sets__questions') }}
    where
        occurrence = 1
        and {{ list_length('answers') }} >= {{ threshold('certainly_uncertain', 'people_asked') }}
    group by question_set, question_key
),

counted_answers as (
    select
        question_key,
        sum(n_people) as n_people,
        sum(case when says = 'doubt' then n_people else 0 end) as n_doubts,
        sum(case when says = 'denial' then n_people else 0 end) as n_denials,
        sum(case when says = 'misread' then n_people else 0 end) as n_misreadings,
        sum(case when says <> 'doubt' then n_sure end) as n_sure,
        -- who says that there are many, or a number that nobody sees at a glance
        sum(
            case
                when
                    says = 'vague'
                    or try_cast({{ regexp_extract('answer', '[0-9]+') }} as bigint)
                    >= {{ threshold('certainly_uncertain', 'people_many') }}
                    then n_people
                else 0
            end
        ) as n_many,
        sum({{ one_if("says = 'answer'") }}) as n_answers,
        max(case when says = 'answer' then n_people else 0 end) as n_of_first_answer,
        {{ min_by(
            "case when says = 'answer' then answer end",
            "case
                when says = 'answer' then lpad(cast(10000 - n_people as string), 5, '0') || answer
            end"
        ) }} as first_answer
    from {{ ref('certainly_uncertain__people_answers') }}
    group by question_key
),

meant_answers as (
    select
        answers.question_key,
        coalesce(synonyms.means, answers.answer) as meaning,
        sum(answers.n_people) as n_people,
        sum(answers.n_sure) as n_sure
    from {{ ref('certainly_uncertain__people_answers') }} as answers
    left join {{ vocabulary(
        'certainly_uncertain', 'people_synonyms', word='answer', value='means'
    ) }}
        as synonyms
        using (answer)
    where answers.says = 'answer'
    group by answers.question_key, coalesce(synonyms.means, answers.answer)
),

-- an answer beside the first that VQA's metric gives full marks, or that two are sure of; "woollen
-- mill" and "the woollen mill" are one
rivals as (
    select
        counted_answers.question_key,
        min(others.meaning) as rival_answer
    from counted_answers
    inner join meant_answers as others using (question_key)
    left join {{ vocabulary(
        'certainly_uncertain', 'people_synonyms', word='answer', value='means'
    ) }}
        as synonyms
        on counted_answers.first_answer = synonyms.answer
    where
        (
            others.n_people >= {{ threshold('certainly_uncertain', 'people_rival') }}
            or others.n_sure >= {{ threshold('certainly_uncertain', 'people_rival_sure') }}
        )
        and not contains(
            ' ' || others.meaning || ' ',
            ' ' || coalesce(synonyms.means, counted_answers.first_answer) || ' '
        )
        and not contains(
            ' ' || coalesce(synonyms.means, counted_answers.first_answer) || ' ',
            ' ' || others.meaning || ' '
        )
    group by counted_answers.question_key
)

select
    annotated_questions.*,
    counted_answers.n_people, counted_answers.n_doubts, counted_answers.n_denials,
    counted_answers.n_misreadings, counted_answers.n_sure, counted_answers.n_many,
    counted_answers.n_of_first_answer, counted_answers.n_answers, counted_answers.first_answer,
    rivals.rival_answer
from annotated_questions
inner join counted_answers using (question_key)
left join rivals using (question_key)
