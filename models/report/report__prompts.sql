with
examples as (
    select distinct benchmark, example_id, group_id, operator
    from {{ ref('report__examples') }}
),

prompts as (
    {{ union_of_ports(
        'prompts', ['example_id', 'task', 'condition', 'context', 'question', 'choices']
    ) }}
),

-- a prompt may also be asked for by its example's id without the condition
keyed_prompts as (
    select *, example_id as asked_id from prompts
    union all
    select *, substr(example_id, 1, length(example_id) - length(condition) - 2) as asked_id
    from prompts
    where example_id like '%::' || condition
),

-- a benchmark may ask about a group of examples, under a condition that says which one is meant
asked_examples as (
    select benchmark, example_id, example_id as asked_id, cast(null as string) as condition
    from examples
    union all
    select benchmark, example_id, group_id as asked_id, operator as condition
    from examples
    where group_id <> example_id
)

select
    asked_examples.benchmark, asked_examples.example_id, keyed_prompts.task,
    keyed_prompts.condition, keyed_prompts.context, keyed_prompts.question, keyed_prompts.choices
from asked_examples
inner join keyed_prompts using (benchmark, asked_id)
where asked_examples.condition is null or asked_examples.condition = keyed_prompts.condition
