-- title: by slice
-- note: A row is a slice of the examples; the darker, the more of what can be reached.
-- draw: heat
-- rows: slice
-- columns: model
-- most: 2000
-- link: value: benchmark, task, condition, wrong=of_model, slice=of_slice
select
    benchmark,
    task,
    condition,
    concat(replace(slice_name, '_', ' '), ': ', slice_value) as slice,
    concat_ws(', ', scores.model, nullif(run, 'default')) as model,
    value,
    unit,
    metric,
    n as n_answers,
    scores.model as of_model,
    concat(slice_name, '=', slice_value) as of_slice
from evaluation.evaluation__scores as scores
where is_shown_by_slice
order by benchmark, task, condition, slice_name, slice_value, model, run
