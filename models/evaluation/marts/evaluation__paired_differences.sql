with

matches as (

    select
        benchmark,
        task,
        condition,
        matcher,
        model,
        run,
        example_id,
        credit
    from {{ ref('evaluation__matches') }}
    where credit is not null

),

paired as (

    select
        matches.benchmark,
        matches.task,
        matches.condition,
        matches.matcher,
        matches.model,
        matches.run,
        others.model as other_model,
        others.run as other_run,
        matches.credit - others.credit as difference
    from matches
    inner join matches as others
        on
            matches.benchmark = others.benchmark
            and matches.task = others.task
            and matches.condition = others.condition
            and matches.matcher = others.matcher
            and matches.example_id = others.example_id
            and (
                matches.model < others.model
                or (matches.model = others.model and matches.run < others.run)
            )

),

-- the deviation of a mean of differences, as of the bootstrap over the shared examples
final as (

    select
        benchmark,
        task,
        condition,
        matcher,
        model,
        run,
        other_model,
        other_run,
        round(avg(difference), 9) as difference,
        round(stddev_pop(difference) / sqrt(count(*)), 9) as standard_error,
        count(*) as n
    from paired
    group by benchmark, task, condition, matcher, model, run, other_model, other_run

)

select * from final
