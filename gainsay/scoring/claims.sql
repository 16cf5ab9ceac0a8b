-- what confidence-weighted accuracy goes with, over more than two runs: its authors claim that it
-- rises with accuracy (LAVE_idk) and falls with calibration error (Chandu et al.,
-- CertainlyUncertain, ICLR 2025)
with
scores as (
    select * from evaluation.evaluation__scores
    where
        slice_name = 'overall'
        and benchmark = coalesce(getvariable('benchmark'), benchmark)
),

run_pairs as (
    select
        weighted.benchmark, weighted.task, weighted.condition, weighted.matcher,
        others.metric as other_metric, weighted.value,
        others.value as other_value
    from scores as weighted
    inner join scores as others using (source_file, matcher)
    where
        weighted.metric = 'confidence_weighted_accuracy'
        and others.metric in ('lave_idk', 'ece')
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
)

select
    benchmark, other_metric,
    case
        when min(value) < max(value) and min(other_value) < max(other_value)
            then round(corr(value, other_value), 9)
    end as pearson,
    case
        when min(value) < max(value) and min(other_value) < max(other_value)
            then round(corr(value_rank, other_rank), 9)
    end as spearman,
    count(*) as n
from ranked_pairs
group by benchmark, task, condition, matcher, other_metric
having count(*) > 2
order by benchmark, other_metric
