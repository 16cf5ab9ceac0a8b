with

scores as (

    select * from {{ ref('evaluation__scores') }}
    where
        benchmark = 'clash'
        and condition = 'conflicting'
        and unit = 'percent'

),

table_slices as (

    select * from {{ ref('clash_table_slices') }}

),

conditions as (

    select * from {{ ref('evaluation__clash_conditions') }}

),

judge_agreement as (

    select * from {{ ref('evaluation__judge_agreement') }}

),

-- whom models follow: over all samples and over those of one kind of change
preferences as (

    select
        table_slices.table_name,
        scores.task,
        scores.matcher,
        scores.model,
        scores.run,
        coalesce(table_slices.row_name, scores.slice_value) as row_name,
        scores.metric as column_name,
        scores.value,
        scores.standard_deviation,
        scores.clustered_standard_error,
        cast(null as double) as gain,
        scores.n
    from scores
    inner join table_slices
        on
            scores.slice_name = table_slices.slice_name
            and coalesce(table_slices.slice_value, scores.slice_value) = scores.slice_value

),

non_conflicting as (

    select
        'non_conflicting' as table_name,
        task,
        matcher,
        model,
        run,
        'all' as row_name,
        column_name,
        value,
        standard_deviation,
        clustered_standard_error,
        cast(null as double) as gain,
        n
    from conditions

),

-- the run named default is the model as it was, every other run of it a tuned one
fine_tuning as (

    select
        'fine_tuning' as table_name,
        tuned.task,
        tuned.matcher,
        tuned.model,
        tuned.run,
        'all' as row_name,
        tuned.column_name,
        tuned.value,
        tuned.standard_deviation,
        tuned.clustered_standard_error,
        {{ nine_places('tuned.value - base.value') }} as gain,
        tuned.n
    from conditions as tuned
    inner join conditions as base
        on
            tuned.task = base.task
            and tuned.matcher = base.matcher
            and tuned.model = base.model
            and tuned.column_name = base.column_name
    where
        base.run = 'default'
        and tuned.run <> 'default'

),

judged as (

    select
        'judge_agreement' as table_name,
        'open_ended' as task,
        'judge' as matcher,
        model,
        run,
        judges as row_name,
        metric as column_name,
        value,
        standard_deviation,
        clustered_standard_error,
        cast(null as double) as gain,
        n
    from judge_agreement
    where condition = 'conflicting'

),

final as (

    select * from preferences
    union all
    select * from non_conflicting
    union all
    select * from fine_tuning
    union all
    select * from judged

)

select * from final
