-- title: by slice
-- note: A row is a slice of the examples; the darker, the more of what can be reached.
-- draw: heat
-- rows: slice
-- columns: model
-- most: 2000
-- link: value: benchmark, task, condition, wrong=of_model, slice=of_slice
-- by the first metric that is known of slices, and by the first matcher of each task; a slice with
-- one value is the whole
with sliced_scores as (
    select
        scores.*,
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
    where scores.slice_name <> 'overall' and scores.matcher_place = 1
)

select
    benchmark,
    task,
    condition,
    concat(replace(slice_name, '_', ' '), ': ', slice_value) as slice,
    concat_ws(', ', sliced_scores.model, nullif(run, 'default')) as model,
    value,
    unit,
    metric,
    n as n_answers,
    sliced_scores.model as of_model,
    concat(slice_name, '=', slice_value) as of_slice
from sliced_scores
where n_values > 1
qualify
    metric_place = min(metric_place) over (partition by benchmark, task, condition, slice_name)
order by benchmark, task, condition, slice_name, slice_value, model, run
