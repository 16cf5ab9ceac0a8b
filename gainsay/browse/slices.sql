-- by slice what models reach in the first metric that is known of slices, by its first matcher; a
-- slice with one value is the whole
with sliced_scores as (
    select
        scores.benchmark, scores.task, scores.condition, scores.metric, scores.slice_name,
        scores.slice_value, scores.model, scores.run, scores.value, scores.unit, scores.n,
        metrics.place as metric_place,
        count(distinct scores.slice_value) over (
            partition by
                scores.benchmark, scores.task, scores.condition, scores.metric, scores.slice_name
        ) as n_values
    from evaluation.evaluation__scores as scores
    inner join evaluation.evaluation__metrics as metrics
        on
            scores.benchmark = metrics.benchmark
            and scores.metric = metrics.metric
            and metrics.is_ranked
    where scores.slice_name not in ('overall', 'split') and scores.matcher_place = 1
)

select
    benchmark, task, condition, metric, slice_name, slice_value, model, run, value, unit, n
from sliced_scores
where n_values > 1
qualify
    metric_place = min(metric_place) over (partition by benchmark, task, condition, slice_name)
order by benchmark, task, condition, slice_name, slice_value, model, run
