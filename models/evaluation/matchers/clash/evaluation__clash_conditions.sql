with

matches as (

    select
        task,
        matcher,
        model,
        run,
        condition,
        credit,
        {{ resampling_key('example_id') }} as example_resampling_key,
        {{ resampling_key('source_image_id') }} as image_resampling_key
    from {{ ref('evaluation__matches') }}
    where benchmark = 'clash'

),

columns as (

    select * from {{ ref('clash_condition_columns') }}

),

runs_under_both_conditions as (

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
        {{ error_of_mean(
            'matches.credit', key='matches.example_resampling_key',
            cluster='matches.image_resampling_key'
        ) }} as error,
        count(*) as n
    from matches
    inner join runs_under_both_conditions
        on
            matches.task = runs_under_both_conditions.task
            and matches.matcher = runs_under_both_conditions.matcher
            and matches.model = runs_under_both_conditions.model
            and matches.run = runs_under_both_conditions.run
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
