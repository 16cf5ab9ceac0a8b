with

examples as (

    select distinct
        benchmark,
        example_id,
        group_id,
        operator
    from {{ ref('report__examples') }}

),

prompts as (

    {{ union_of_ports(
        'prompts', ['example_id', 'task', 'condition', 'context', 'question', 'choices']
    ) }}

),

-- a benchmark may ask about a group of examples, under a condition that says which one is meant
asked_examples as (

    select
        benchmark,
        example_id,
        example_id as asked_id,
        cast(null as {{ dbt.type_string() }}) as condition
    from examples
    union all
    select
        benchmark,
        example_id,
        group_id as asked_id,
        operator as condition
    from examples
    where group_id <> example_id

),

final as (

    select
        asked_examples.benchmark,
        asked_examples.example_id,
        prompts.task,
        prompts.condition,
        prompts.context,
        prompts.question,
        prompts.choices
    from asked_examples
    inner join prompts
        on
            asked_examples.benchmark = prompts.benchmark
            and asked_examples.asked_id = prompts.example_id
    where asked_examples.condition is null or asked_examples.condition = prompts.condition

)

select * from final
