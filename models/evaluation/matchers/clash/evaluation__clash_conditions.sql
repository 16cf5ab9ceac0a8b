with

matches as (

    select * from {{ ref('evaluation__matches') }}
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

compared_answers as (

    select
        matches.task,
        matches.matcher,
        matches.model,
        matches.run,
        matches.condition,
        matches.credit,
        {{ resampling_key('matches.example_id') }} as example_resampling_key,
        {{ resampling_key('matches.source_image_id') }} as image_resampling_key
    from matches
    inner join runs_under_both_conditions
        on
            matches.task = runs_under_both_conditions.task
            and matches.matcher = runs_under_both_conditions.matcher
            and matches.model = runs_under_both_conditions.model
            and matches.run = runs_under_both_conditions.run

),

-- a sample weighs the same under both conditions, which is what they share
shares as (

    select
        compared_answers.task,
        compared_answers.matcher,
        compared_answers.model,
        compared_answers.run,
        columns.column_name,
        avg(compared_answers.credit) as value,
        {{ error_of_mean(
            'compared_answers.credit', key='compared_answers.example_resampling_key',
            cluster='compared_answers.image_resampling_key'
        ) }} as error,
        count(*) as n
    from compared_answers
    inner join columns
        on coalesce(columns.condition, compared_answers.condition) = compared_answers.condition
    group by
        compared_answers.task, compared_answers.matcher, compared_answers.model,
        compared_answers.run, columns.column_name

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
