-- by slice what models reach
select
    benchmark, task, condition, metric, slice_name, slice_value, model, run, value, unit, n
from evaluation.evaluation__scores
where is_shown_by_slice and slice_name <> 'split'
order by benchmark, task, condition, slice_name, slice_value, model, run
