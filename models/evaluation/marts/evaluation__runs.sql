with

predictions as (

    select * from {{ ref('evaluation__predictions') }}

),

prompts as (

    {{ union_of_ports(
        'prompts', ['task', 'condition', 'example_id'], with_question_sets=true
    ) | indent }}

),

asked_examples as (

    select
        benchmark,
        task,
        condition,
        count(*) as n_asked
    from prompts
    group by benchmark, task, condition

),

answers_of_runs as (

    select
        source_file,
        benchmark,
        task,
        condition,
        model,
        run,
        max(prompt_version) as prompt_version,
        max(prompt_sha256) as prompt_sha256,
        count(*) as n_answers,
        sum(case when reason is null then 1 else 0 end) as n_scored
    from predictions
    group by source_file, benchmark, task, condition, model, run

),

final as (

    select
        answers_of_runs.source_file,
        answers_of_runs.benchmark,
        answers_of_runs.task,
        answers_of_runs.condition,
        answers_of_runs.model,
        answers_of_runs.run,
        answers_of_runs.prompt_version,
        answers_of_runs.prompt_sha256,
        cast(answers_of_runs.n_answers as bigint) as n_answers,
        cast(answers_of_runs.n_answers - answers_of_runs.n_scored as bigint) as n_unmatched,
        cast(asked_examples.n_asked as bigint) as n_asked,
        -- published answers may bring examples along that nobody asks
        case
            when answers_of_runs.n_scored >= asked_examples.n_asked then cast(1 as double)
            else {{ nine_places(
                'cast(answers_of_runs.n_scored as double) / asked_examples.n_asked'
            ) }}
        end as completeness
    from answers_of_runs
    left join asked_examples
        on
            answers_of_runs.benchmark = asked_examples.benchmark
            and answers_of_runs.task = asked_examples.task
            and answers_of_runs.condition = asked_examples.condition

)

select * from final
