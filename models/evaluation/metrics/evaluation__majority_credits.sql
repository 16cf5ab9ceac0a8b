-- a view: answers name the few of these examples that are read
{{ config(materialized='view') }}

with
{% if listed_of('conflicts__outcomes') -%}
suite_examples as (
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
    from suite_examples
    group by benchmark, family, gold_answer
),

{% endif -%}
vqa_questions as (
    select
        *,
        -- one answer of these is right; VQA's rule gives shares to what several people said
        benchmark = 'gqa' as has_one_answer
    from {{ ref('evaluation__vqa_questions') }}
    where benchmark in ('vqa', 'okvqa', 'vizwiz', 'gqa')
),

human_answers as (
    select benchmark, example_id, has_one_answer, {{ unnest_list('human_answers') }} as answer
    from vqa_questions
),

answer_credits as (
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
    from answer_credits
    group by benchmark, answer
)

{% if listed_of('conflicts__outcomes') -%}
select
    suite_examples.benchmark, suite_examples.example_id, 'any' as condition,
    suite_examples.split,
    'task_success' as metric,
    {{ one_if('not suite_examples.is_abstention_right and gold_answers.family is not null') }}
        as numerator,
    cast(1 as double) as denominator
from suite_examples
left join gold_answers
    on
        suite_examples.benchmark = gold_answers.benchmark
        and suite_examples.family = gold_answers.family
        and suite_examples.gold_answer = gold_answers.gold_answer
        and gold_answers.place = 1
union all
{% endif -%}
{% if 'clash' in var('benchmarks') -%}
-- that caption and picture contradict each other is right under every changed caption, and so of no
-- whole sample
select
    'clash' as benchmark,
    sample_id as example_id,
    condition, split,
    case when condition = 'conflicting' then 'contradiction' else 'image_only' end as metric,
    {{ one_if("condition = 'conflicting'") }} as numerator,
    cast(1 as double) as denominator
from {{ ref('clash__examples') }}
union all
select
    'clash' as benchmark,
    sample_id as example_id,
    condition, split,
    'group_accuracy' as metric,
    cast(0 as double) as numerator,
    cast(1 as double) as denominator
from {{ ref('clash__examples') }}
union all
{% endif -%}
select
    vqa_questions.benchmark, vqa_questions.example_id, 'any' as condition,
    cast(null as string) as split,
    case when vqa_questions.has_one_answer then 'accuracy' else 'vqa_accuracy' end as metric,
    coalesce(answer_credits.credit, 0) as numerator,
    cast(1 as double) as denominator
from vqa_questions
inner join ranked_answers
    on vqa_questions.benchmark = ranked_answers.benchmark and ranked_answers.place = 1
left join answer_credits
    on
        vqa_questions.benchmark = answer_credits.benchmark
        and vqa_questions.example_id = answer_credits.example_id
        and ranked_answers.answer = answer_credits.answer
