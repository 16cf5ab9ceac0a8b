-- a view: one model reads it
{{ config(materialized='view') }}

with
questions as (
    select
        *,
        -- one answer of these is right; VQA's rule gives shares to what several people said
        benchmark = 'gqa' as has_one_answer
    from {{ ref('evaluation__vqa_questions') }}
    where
        benchmark in (
            {%- for benchmark in benchmarks_of('vqa__majorities') %}
                '{{ benchmark }}'{{ ',' if not loop.last }}
            {%- endfor %}
        )
),

human_answers as (
    select benchmark, example_id, has_one_answer, {{ unnest_list('human_answers') }} as answer
    from questions
),

credits as (
    select
        benchmark, example_id,
        {{ lower_text('answer') }} as answer,
        case
            when has_one_answer or count(*) > 3 then cast(1 as double)
            else count(*) * cast(3 as double) / 10
        end as credit
    from human_answers
    group by benchmark, example_id, has_one_answer, {{ lower_text('answer') }}
),

-- the first of each benchmark is worth most
ranked_answers as (
    select
        benchmark, answer,
        row_number() over (
            partition by benchmark
            order by sum(credit) desc, answer asc
        ) as place
    from credits
    group by benchmark, answer
)

select
    questions.benchmark, questions.example_id, cast(null as string) as condition,
    cast(null as string) as split,
    case when questions.has_one_answer then 'accuracy' else 'vqa_accuracy' end as metric,
    coalesce(credits.credit, 0) as numerator,
    cast(1 as double) as denominator
from questions
inner join ranked_answers
    on questions.benchmark = ranked_answers.benchmark and ranked_answers.place = 1
left join credits
    on
        questions.benchmark = credits.benchmark
        and questions.example_id = credits.example_id
        and ranked_answers.answer = credits.answer
