-- a view: answers name the few of these examples that are read
{{ config(materialized='view') }}

with
examples as (
    select * from {{ ref('conflicts__examples') }}
    where oracle_action is not null
),

-- the most frequent gold answer of each family
gold_answers as (
    select
        benchmark, family, gold_answer,
        row_number() over (
            partition by benchmark, family
            order by count(*) desc, gold_answer asc
        ) as place
    from examples
    group by benchmark, family, gold_answer
)

select
    examples.benchmark, examples.example_id, cast(null as string) as condition, examples.split,
    'task_success' as metric,
    {{ one_if('not examples.is_abstention_right and gold_answers.family is not null') }}
        as numerator,
    cast(1 as double) as denominator
from examples
left join gold_answers
    on
        examples.benchmark = gold_answers.benchmark
        and examples.family = gold_answers.family
        and examples.gold_answer = gold_answers.gold_answer
        and gold_answers.place = 1
