-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('certainly_uncertain__examples') }}),
wordings as (select * from {{ ref('certainly_uncertain__people_wordings') }}),

-- what captions say of the picture that is shown, and what people answered to other questions about
-- it: what somebody knows who sees the picture alone, and not the question
told_of_pictures as (
    select examples.example_id, texts.text
    from examples
    inner join {{ ref('certainly_uncertain__texts') }} as texts
        on examples.shown_image_id = texts.source_image_id
    union
    select
        examples.example_id,
        people_questions.question || ' ' || people_questions.first_answer as text
    from examples
    left join wordings as asked on examples.question = asked.question
    inner join {{ ref('certainly_uncertain__people_questions') }} as people_questions
        on examples.shown_image_id = people_questions.source_image_id
    inner join wordings as others on people_questions.question = others.question
    where others.asked_words <> coalesce(asked.asked_words, '')
),

picture_texts as (
    select example_id, {{ array_join(array_agg('text', order_by='text'), "' '") }} as picture_text
    from told_of_pictures
    group by example_id
),

-- an answer that few examples have is one of all such answers: nobody learns it from others
answers as (
    select *, count(*) over (partition by target) as n_alike
    from examples
    where target is not null
),

labels as (
    select
        examples.example_id, examples.pair_id, examples.split, examples.category, examples.question,
        picture_texts.picture_text,
        'answerability' as guessed,
        case when examples.is_answerable then 'answerable' else 'open' end as label
    from examples
    left join picture_texts on examples.example_id = picture_texts.example_id
    union all
    select
        example_id, pair_id, split, category, question,
        cast(null as string) as picture_text,
        'answer' as guessed,
        case
            when n_alike < {{ threshold('shared', 'blind_least_answers') }} then '(rare)'
            else target
        end as label
    from answers
)

select
    'open_ended' as task,
    'default' as condition,
    guessed,
    example_id,
    pair_id as group_id,
    split,
    label,
    question,
    picture_text as context,
    cast(null as string) as choices,
    {{ list_value("'category=' || category") }} as slices
from labels
