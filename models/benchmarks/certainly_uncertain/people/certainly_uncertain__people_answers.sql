with
-- VizWiz's questions hold their answers themselves; what two files ask is asked once
answered_questions as (
    select
        question_set || '-' || question_key as question_key,
        {{ min_by('answers', 'source_file') }} as answers,
        {{ min_by('answer_confidences', 'source_file') }} as answer_confidences
    from {{ ref('stg_question_sets__questions') }}
    where
        occurrence = 1
        and {{ list_length('answers') }} >= {{ threshold('certainly_uncertain', 'people_asked') }}
    group by question_set, question_key
),

given_answers as (
    select
        vqa_answers.question_key,
        vqa_answers.answered.answer,
        vqa_answers.answered.answer_confidence as sureness
    from (
        select
            'vqa-' || cast(question_id as string) as question_key,
            {{ unnest_list('answers') }} as answered
        from {{ ref('stg_vqa__annotations') }}
        -- ten answers under one id are one person's, and say nothing of what people agree on
        where
            occurrence = 1
            and {{ list_length(list_sort_distinct(
                list_transform('answers', 'answer', 'answer.answer_id')
            )) }} = {{ list_length('answers') }}
    ) as vqa_answers
    union all
    -- of other question sets those of which several people answered each question
    select
        question_set || '-' || question_key as question_key,
        {{ unnest_list('answers') }} as answer,
        cast(null as string) as sureness
    from {{ ref('stg_question_sets__annotations') }}
    where
        occurrence = 1
        and {{ list_length('answers') }} >= {{ threshold('certainly_uncertain', 'people_asked') }}
    union all
    select question_key, answer, {{ list_extract('answer_confidences', 'place') }} as sureness
    from (
        select
            question_key, answer_confidences,
            {{ unnest_list_with_position('answers', 'answer', 'place') }}
        from answered_questions
    ) as placed_answers
),

counted_answers as (
    select
        question_key, answer,
        count(*) as n_people,
        -- null where the file does not say how sure anybody was
        sum(case when sureness = 'yes' then 1 when sureness is not null then 0 end) as n_sure
    from given_answers
    group by question_key, answer
),

-- few of many answers differ, and only they are read
worded_answers as (
    select
        answer,
        {{ regexp_replace(
            regexp_replace(normalized_text("replace(answer, '’', '''')"), '[.,;! ]+$', ''),
            '^(a|an|the) ', ''
        ) }} as plain_answer
    from (select distinct answer from counted_answers) as answers
),

answer_sayings as (
    select
        plain_answers.plain_answer,
        -- who gives a reason with the doubt doubts
        {{ min_by(
            'people_words.says',
            "case people_words.says when 'doubt' then 1 when 'denial' then 2 else 3 end"
        ) }} as says
    from (select distinct plain_answer from worded_answers) as plain_answers
    inner join {{ ref('uncertainty_people_words') }} as people_words
        on case people_words.place
            when 'whole' then plain_answers.plain_answer = people_words.words
            when 'begins'
                then plain_answers.plain_answer || ' ' like people_words.words || ' %'
            else ' ' || plain_answers.plain_answer || ' ' like '% ' || people_words.words || ' %'
        end
    group by plain_answers.plain_answer
)

select
    counted_answers.question_key,
    worded_answers.plain_answer as answer,
    -- who writes nothing, or a full stop, neither answers nor says that the picture leaves it open
    min(
        case
            when worded_answers.plain_answer = '' then 'misread'
            else coalesce(answer_sayings.says, 'answer')
        end
    ) as says,
    cast(sum(counted_answers.n_people) as bigint) as n_people,
    cast(sum(counted_answers.n_sure) as bigint) as n_sure
from counted_answers
inner join worded_answers using (answer)
left join answer_sayings using (plain_answer)
group by counted_answers.question_key, worded_answers.plain_answer
