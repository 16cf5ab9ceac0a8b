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

targets as (

    select * from {{ ref('evaluation__targets') }}

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
        {{ unnest_list_with_position('measures', 'measure', 'place') }}
    from measures

),

cell_sums as (

    select
        source_file,
        matcher,
        cell,
        place,
        sum(measure) as total,
        sum({{ one_if('measure <> 0') }}) as n
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
        {{ integer_division('(cell_sums.place + 1)', 2) }} as position,
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
ratios as (

    select
        slice_sums.source_file,
        slice_sums.matcher,
        slice_sums.slice_number,
        slice_sums.slice_name,
        slice_sums.slice_value,
        runs.benchmark,
        metrics.metric,
        metrics.part_of,
        slice_sums.position,
        slice_sums.numerator / slice_sums.denominator as value,
        slice_sums.denominator,
        slice_sums.n
    from slice_sums
    inner join runs
        on slice_sums.source_file = runs.source_file
    inner join metrics
        on
            runs.benchmark = metrics.benchmark
            and slice_sums.position = metrics.position
    where slice_sums.denominator > 0

),

-- the F1 of every class: an answer is in the denominators of the right and of the stated one
means as (

    select
        ratios.source_file,
        ratios.matcher,
        ratios.slice_number,
        ratios.slice_name,
        ratios.slice_value,
        metrics.metric,
        metrics.position,
        avg(ratios.value) as value,
        sum(ratios.denominator) / 2 as n
    from ratios
    inner join metrics
        on
            ratios.benchmark = metrics.benchmark
            and ratios.part_of = metrics.metric
    group by
        ratios.source_file, ratios.matcher, ratios.slice_number, ratios.slice_name,
        ratios.slice_value, metrics.metric, metrics.position

),

measured as (

    select
        source_file,
        matcher,
        slice_number,
        slice_name,
        slice_value,
        metric,
        position,
        value,
        n
    from ratios
    union all
    select * from means

),

measured_scores as (

    select
        measured.source_file,
        measured.matcher,
        measured.slice_name,
        measured.slice_value,
        measured.metric,
        measured.value,
        errors.standard_deviation,
        errors.clustered_standard_error,
        cast(measured.n as bigint) as n
    from measured
    left join errors
        on
            measured.source_file = errors.source_file
            and measured.matcher = errors.matcher
            and measured.slice_number = errors.slice_number
            and measured.position = errors.position

),

scores as (

    select * from measured_scores
    union all
    select * from confidence_scores

),

scaled as (

    select
        scores.*,
        runs.benchmark,
        runs.task,
        runs.condition,
        runs.model,
        runs.run,
        runs.n_unmatched,
        metrics.unit,
        metrics.better,
        case metrics.unit when 'percent' then 100 else 1 end as scale
    from scores
    inner join runs
        on scores.source_file = runs.source_file
    inner join metrics
        on
            runs.benchmark = metrics.benchmark
            and scores.metric = metrics.metric

),

-- nine places are more than any sample supports and hide the order of a sum
final as (

    select
        scaled.source_file,
        scaled.benchmark,
        scaled.task,
        scaled.condition,
        scaled.model,
        scaled.run,
        scaled.matcher,
        matchers.version as matcher_version,
        scaled.slice_name,
        scaled.slice_value,
        scaled.metric,
        scaled.unit,
        round(scaled.value * scaled.scale, 9) as value,
        round(scaled.standard_deviation * scaled.scale, 9) as standard_deviation,
        round(scaled.clustered_standard_error * scaled.scale, 9) as clustered_standard_error,
        targets.target,
        scaled.n,
        cast(scaled.n_unmatched as bigint) as n_unmatched,
        case scaled.better
            when 'lower' then round(scaled.value * scaled.scale, 9) <= targets.target
            when 'higher' then round(scaled.value * scaled.scale, 9) >= targets.target
        end as is_target_met
    from scaled
    inner join matchers
        on
            scaled.benchmark = matchers.benchmark
            and scaled.task = matchers.task
            and scaled.matcher = matchers.matcher
    left join targets
        on
            scaled.benchmark = targets.benchmark
            and scaled.metric = targets.metric

)

select * from final
