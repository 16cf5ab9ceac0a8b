with

examples as (

    select distinct
        benchmark,
        example_id
    from {{ ref('report__examples') }}

),

prompts as (

    {{ union_of_ports(
        'prompts', ['example_id', 'task', 'condition', 'context', 'question', 'choices']
    ) }}

),

final as (

    select
        prompts.benchmark,
        prompts.example_id,
        prompts.task,
        prompts.condition,
        prompts.context,
        prompts.question,
        prompts.choices
    from prompts
    inner join examples
        on
            prompts.benchmark = examples.benchmark
            and prompts.example_id = examples.example_id

)

select * from final
