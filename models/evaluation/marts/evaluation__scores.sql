with
measures as (select * from {{ ref('evaluation__measures') }}),
answers as (select * from {{ ref('evaluation__scored_answers') }}),
slices as (select * from {{ ref('evaluation__slices') }}),
confidence_scores as (select * from {{ ref('evaluation__confidence_scores') }}),
metrics as (select * from {{ ref('evaluation__metrics') }}),
runs as (select * from {{ ref('evaluation__runs') }}),

cell_sums as (
    select
        measures.source_file, measures.matcher, measures.benchmark, measures.metric, answers.cell,
        sum(measures.numerator) as numerator,
        sum(measures.denominator) as denominator,
        sum({{ one_if('measures.denominator > 0') }}) as n
    from measures
    inner join answers using (source_file, matcher, file_position)
    group by
        measures.source_file, measures.matcher, measures.benchmark, measures.metric,
        answers.cell
),

-- how many answers count in any of the metrics that a mean is of
mean_cell_counts as (
    select
        measures.source_file, measures.matcher,
        metrics.part_of as metric,
        answers.cell,
        count(distinct measures.file_position) as n
    from measures
    inner join metrics using (benchmark, metric)
    inner join answers using (source_file, matcher, file_position)
    where metrics.part_of is not null and measures.denominator > 0
    group by measures.source_file, measures.matcher, metrics.part_of, answers.cell
),

slice_sums as (
    select
        slices.source_file, slices.matcher, slices.slice_number, cell_sums.benchmark,
        cell_sums.metric,
        sum(cell_sums.numerator) as numerator,
        sum(cell_sums.denominator) as denominator,
        sum(cell_sums.n) as n
    from slices
    inner join cell_sums using (source_file, matcher, cell)
    group by
        slices.source_file, slices.matcher, slices.slice_number, cell_sums.benchmark,
        cell_sums.metric
),

mean_slice_counts as (
    select
        slices.source_file, slices.matcher, slices.slice_number, mean_cell_counts.metric,
        sum(mean_cell_counts.n) as n
    from slices
    inner join mean_cell_counts using (source_file, matcher, cell)
    group by
        slices.source_file, slices.matcher, slices.slice_number, mean_cell_counts.metric
),

-- a ratio over nothing is no score
ratios as (
    select
        source_file, matcher, slice_number, benchmark, metric,
        numerator / denominator as value,
        n
    from slice_sums
    where denominator > 0
),

-- such as the mean F1 of all classes, each of them by its own answers
means as (
    select
        ratios.source_file, ratios.matcher, ratios.slice_number,
        metrics.part_of as metric,
        avg(ratios.value) as value
    from ratios
    inner join metrics using (benchmark, metric)
    where metrics.part_of is not null
    group by ratios.source_file, ratios.matcher, ratios.slice_number, metrics.part_of
),

ratios_and_means as (
    select
        * {{ exclude('benchmark') }}
    from ratios
    union all
    select
        means.source_file, means.matcher, means.slice_number, means.metric, means.value,
        mean_slice_counts.n
    from means
    inner join mean_slice_counts using (source_file, matcher, slice_number, metric)
),

-- each slice once, whatever sets of slices it is in
distinct_slices as (
    select distinct source_file, matcher, slice_number, slice_name, slice_value
    from slices
),

measured_scores as (
    select
        distinct_slices.source_file, distinct_slices.matcher, distinct_slices.slice_name,
        distinct_slices.slice_value, ratios_and_means.metric, ratios_and_means.value,
        errors.standard_deviation, errors.clustered_standard_error,
        cast(ratios_and_means.n as bigint) as n
    from ratios_and_means
    inner join distinct_slices using (source_file, matcher, slice_number)
    left join {{ ref('evaluation__errors') }} as errors
        using (source_file, matcher, slice_number, metric)
),

scores as (
    select * from measured_scores
    union all
    select * from confidence_scores
),

-- how many of the groups that a run answers some of it answers whole
group_completeness as (
    select
        source_file, matcher, slice_name, slice_value, 'group_accuracy' as metric,
        value as complete_share
    from measured_scores
    where metric = 'group_completeness'
),

scaled_scores as (
    select
        scores.*,
        coalesce(group_completeness.complete_share, 1) as complete_share,
        runs.benchmark, runs.task, runs.condition, runs.model, runs.run, runs.n_unmatched,
        coalesce(of_split.n_unrated, runs.n_unrated) as n_unrated,
        coalesce(of_split.n_unanswered, runs.n_unanswered) as n_unanswered,
        coalesce(of_split.completeness, runs.completeness) as completeness,
        -- of what is asked, or else answered, the share that the score knows the worth of
        cast(
            case
                when metrics.needs is not null
                    then least(
                        scores.n,
                        coalesce(of_split.n_scored, runs.n_scored)
                        - coalesce(of_split.n_unrated, runs.n_unrated)
                    )
                else
                    coalesce(of_split.n_scored, runs.n_scored)
                    - coalesce(of_split.n_unrated, runs.n_unrated)
            end as double
        ) / coalesce(
            case when of_split.source_file is null then runs.n_asked else of_split.n_asked end,
            of_split.n_scored,
            runs.n_scored
        ) as share_scored,
        runs.prompt_version, runs.prompt_sha256, metrics.unit, metrics.better, metrics.target,
        metrics.place as metric_place, metrics.is_ranked,
        case metrics.unit when 'percent' then 100 else 1 end as scale
    from scores
    inner join runs on scores.source_file = runs.source_file and runs.split = 'all'
    -- what is known of a split is known of that slice; of other slices, what is of the whole run
    left join runs as of_split
        on
            scores.source_file = of_split.source_file
            and scores.slice_name = 'split'
            and scores.slice_value = of_split.split
    inner join metrics on runs.benchmark = metrics.benchmark and scores.metric = metrics.metric
    left join group_completeness
        on
            scores.source_file = group_completeness.source_file
            and scores.matcher = group_completeness.matcher
            and scores.slice_name = group_completeness.slice_name
            and scores.slice_value = group_completeness.slice_value
            and scores.metric = group_completeness.metric
),

-- nine places are more than any sample supports and hide the order of a sum
rounded_scores as (
    select
        *,
        {{ nine_places('value * scale') }} as rounded_value,
        {{ nine_places('standard_deviation * scale') }} as rounded_deviation,
        {{ nine_places('clustered_standard_error * scale') }} as rounded_error
    from scaled_scores
),

-- a slice with one value is the whole, and tells nothing of how its values differ
sliced_scores as (
    select
        rounded_scores.*,
        matchers.version as matcher_version,
        matchers.place as matcher_place,
        coalesce(
            rounded_scores.is_ranked
            and matchers.place = 1
            and rounded_scores.slice_name <> 'overall'
            and min(rounded_scores.slice_value) over values_of_slice
            <> max(rounded_scores.slice_value) over values_of_slice,
            false
        ) as compares_values
    from rounded_scores
    inner join {{ ref('evaluation__matchers') }} as matchers using (benchmark, task, matcher)
    window
        values_of_slice as (
            partition by
                rounded_scores.benchmark, rounded_scores.task, rounded_scores.condition,
                rounded_scores.matcher, rounded_scores.metric, rounded_scores.slice_name
        )
)

select
    source_file,
    benchmark,
    task,
    condition,
    model,
    run,
    matcher,
    matcher_version,
    slice_name,
    slice_value,
    metric,
    unit,
    prompt_version,
    prompt_sha256,
    rounded_value as value,
    rounded_deviation as standard_deviation,
    rounded_error as clustered_standard_error,
    target,
    case
        when completeness > complete_share
            then {{ nine_places('complete_share') }}
        else completeness
    end as completeness,
    {{ nine_places('least(share_scored, complete_share, 1)') }}
        as share_scored,
    matcher_place,
    n,
    n_unmatched,
    n_unrated,
    n_unanswered,
    case better
        when 'lower' then rounded_value <= target
        when 'higher' then rounded_value >= target
    end as is_target_met,
    -- of a slice's values the first metric that is known of several of them
    compares_values
    and metric_place = min(case when compares_values then metric_place end) over (
        partition by benchmark, task, condition, slice_name
    ) as is_shown_by_slice
from sliced_scores
