with

matches as (

    select * from {{ ref('evaluation__matches') }}
    where benchmark = 'clash'

),

columns as (

    select * from {{ ref('clash_condition_columns') }}

),

asked_twice as (

    select
        task,
        matcher,
        model,
        run
    from matches
    group by task, matcher, model, run
    having count(distinct condition) = 2

),

-- a sample weighs the same under both conditions, which is what they share
shares as (

    select
        matches.task,
        matches.matcher,
        matches.model,
        matches.run,
        columns.column_name,
        avg(matches.credit) as value,
        {{ error_of_share(
            'matches.credit', example_id='matches.example_id',
            source_image_id='matches.source_image_id'
        ) }} as error,
        count(*) as n
    from matches
    inner join asked_twice
        on
            matches.task = asked_twice.task
            and matches.matcher = asked_twice.matcher
            and matches.model = asked_twice.model
            and matches.run = asked_twice.run
    inner join columns
        on coalesce(columns.condition, matches.condition) = matches.condition
    group by
        matches.task, matches.matcher, matches.model, matches.run, columns.column_name

),

final as (

    select
        task,
        matcher,
        model,
        run,
        column_name,
        {{ percentage('value') }} as value,
        {{ percentage(struct_extract('error', 'standard_deviation')) }} as standard_deviation,
        {{ percentage(struct_extract('error', 'clustered_standard_error')) }}
            as clustered_standard_error,
        n
    from shares

)

select * from final
