-- a view: answers name the few of these examples that are read
{{ config(materialized='view') }}

with
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
),

credits as (
    {%- if listed_of('conflicts__outcomes') %}
        -- the most frequent gold answer of each family
        select
            benchmark, example_id, 'any' as condition, split, 'task_success' as metric,
            {{ one_if(
                'not is_abstention_right and family is not null and gold_answer = frequent_answer'
            ) }} as numerator
        from (
            select
                *,
                first_value(gold_answer) over (
                    partition by benchmark, family
                    order by n_alike desc, gold_answer asc
                ) as frequent_answer
            from (
                select *, count(*) over (partition by benchmark, family, gold_answer) as n_alike
                from {{ ref('conflicts__examples') }}
                where oracle_action is not null
            ) as counted_examples
        ) as ranked_examples
        union all
    {%- endif %}
    {%- if 'clash' in var('benchmarks') %}
        -- that caption and picture contradict each other is right under every changed caption, and
        -- so of no whole sample
        select
            'clash' as benchmark,
            sample_id as example_id,
            condition, split,
            case when condition = 'conflicting' then 'contradiction' else 'image_only' end
                as metric,
            {{ one_if("condition = 'conflicting'") }} as numerator
        from {{ ref('clash__examples') }}
        union all
        select
            'clash' as benchmark,
            sample_id as example_id,
            condition, split,
            'group_accuracy' as metric,
            cast(0 as double) as numerator
        from {{ ref('clash__examples') }}
        union all
    {%- endif %}
    select
        vqa_questions.benchmark, vqa_questions.example_id, 'any' as condition,
        cast(null as string) as split,
        case when vqa_questions.has_one_answer then 'accuracy' else 'vqa_accuracy' end as metric,
        coalesce(answer_credits.credit, 0) as numerator
    from vqa_questions
    inner join ranked_answers
        on vqa_questions.benchmark = ranked_answers.benchmark and ranked_answers.place = 1
    left join answer_credits
        on
            vqa_questions.benchmark = answer_credits.benchmark
            and vqa_questions.example_id = answer_credits.example_id
            and ranked_answers.answer = answer_credits.answer
)

select *, cast(1 as double) as denominator from credits
