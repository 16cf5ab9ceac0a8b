with
scores as (
    select * from {{ ref('evaluation__scores') }}
    where slice_name = 'overall'
),

weighted_accuracies as (
    select * from scores
    where metric = 'confidence_weighted_accuracy'
),

-- what the authors of the metric show it to go with
other_scores as (
    select * from scores
    where metric in ('lave_idk', 'ece')
),

run_pairs as (
    select
        weighted_accuracies.benchmark, weighted_accuracies.task, weighted_accuracies.condition,
        weighted_accuracies.matcher,
        other_scores.metric as other_metric,
        weighted_accuracies.value,
        other_scores.value as other_value
    from weighted_accuracies
    inner join other_scores using (source_file, matcher)
),

-- equal values share the mean of their ranks
ranked_pairs as (
    select
        *,
        rank() over (
            partition by benchmark, task, condition, matcher, other_metric
            order by value
        ) + (
            count(*) over (
                partition by benchmark, task, condition, matcher, other_metric, value
            ) - 1
        ) / 2.0 as value_rank,
        rank() over (
            partition by benchmark, task, condition, matcher, other_metric
            order by other_value
        ) + (
            count(*) over (
                partition by benchmark, task, condition, matcher, other_metric, other_value
            ) - 1
        ) / 2.0 as other_rank
    from run_pairs
),

correlations as (
    select
        benchmark, task, condition, matcher, other_metric,
        case
            when min(value) < max(value) and min(other_value) < max(other_value)
                then corr(value, other_value)
        end as pearson,
        case
            when min(value) < max(value) and min(other_value) < max(other_value)
                then corr(cast(value_rank as float), cast(other_rank as float))
        end as spearman,
        count(*) as n
    from ranked_pairs
    group by benchmark, task, condition, matcher, other_metric
)

select
    benchmark,
    task,
    condition,
    matcher,
    'confidence_weighted_accuracy' as metric,
    other_metric,
    round(pearson, 9) as pearson,
    round(spearman, 9) as spearman,
    cast(n as bigint) as n
from correlations
