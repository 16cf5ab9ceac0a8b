with

measures as (

    select * from {{ ref('evaluation__measures') }}

),

slices as (

    select * from {{ ref('evaluation__slices') }}

),

errors as (

    select * from {{ ref('evaluation__errors') }}

),

confidence_scores as (

    select * from {{ ref('evaluation__confidence_scores') }}

),

metrics as (

    select * from {{ ref('evaluation_metrics') }}

),

matchers as (

    select * from {{ ref('evaluation_matchers') }}

),

predictions as (

    select * from {{ ref('evaluation__predictions') }}

),

runs as (

    select
        source_file,
        benchmark,
        task,
        condition,
        model,
        run,
        sum(case when reason is null then 0 else 1 end) as n_unmatched
    from predictions
    group by source_file, benchmark, task, condition, model, run

),

placed as (

    select
        source_file,
        matcher,
        cell,
        {{ each('measures') }} as measure,
        {{ each(series(1, list_size('measures'))) }} as place
    from measures

),

cell_sums as (

    select
        source_file,
        matcher,
        cell,
        place,
        sum(measure) as total,
        count(*) as n
    from placed
    group by source_file, matcher, cell, place

),

slice_sums as (

    select
        slices.source_file,
        slices.matcher,
        slices.slice_number,
        slices.slice_name,
        slices.slice_value,
        {{ quotient('(cell_sums.place + 1)', 2) }} as position,
        sum(case when cell_sums.place % 2 = 1 then cell_sums.total end) as numerator,
        sum(case when cell_sums.place % 2 = 0 then cell_sums.total end) as denominator,
        sum(case when cell_sums.place % 2 = 0 then cell_sums.n end) as n
    from slices
    inner join cell_sums
        on
            slices.source_file = cell_sums.source_file
            and slices.matcher = cell_sums.matcher
            and slices.cell = cell_sums.cell
    group by
        slices.source_file, slices.matcher, slices.slice_number, slices.slice_name,
        slices.slice_value, position

),

-- a ratio over nothing is no score
ratio_scores as (

    select
        slice_sums.source_file,
        slice_sums.matcher,
        slice_sums.slice_name,
        slice_sums.slice_value,
        metrics.metric,
        metrics.unit,
        slice_sums.numerator / slice_sums.denominator as value,
        errors.standard_deviation,
        errors.clustered_standard_error,
        cast(slice_sums.n as bigint) as n
    from slice_sums
    inner join runs
        on slice_sums.source_file = runs.source_file
    inner join metrics
        on
            runs.benchmark = metrics.benchmark
            and slice_sums.position = metrics.position
    left join errors
        on
            slice_sums.source_file = errors.source_file
            and slice_sums.matcher = errors.matcher
            and slice_sums.slice_number = errors.slice_number
            and slice_sums.position = errors.position
    where slice_sums.denominator > 0

),

scores as (

    select * from ratio_scores
    union all
    select * from confidence_scores

),

-- nine places are more than any sample supports and hide the order of a sum
final as (

    select
        scores.source_file,
        runs.benchmark,
        runs.task,
        runs.condition,
        runs.model,
        runs.run,
        scores.matcher,
        matchers.version as matcher_version,
        scores.slice_name,
        scores.slice_value,
        scores.metric,
        scores.unit,
        round(
            scores.value * case scores.unit when 'percent' then 100 else 1 end, 9
        ) as value,
        round(
            scores.standard_deviation * case scores.unit when 'percent' then 100 else 1 end, 9
        ) as standard_deviation,
        round(
            scores.clustered_standard_error * case scores.unit when 'percent' then 100 else 1 end, 9
        ) as clustered_standard_error,
        scores.n,
        cast(runs.n_unmatched as bigint) as n_unmatched
    from scores
    inner join runs
        on scores.source_file = runs.source_file
    inner join matchers
        on
            runs.benchmark = matchers.benchmark
            and runs.task = matchers.task
            and scores.matcher = matchers.matcher

)

select * from final
