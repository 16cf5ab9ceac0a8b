-- title: Published figures beside ours
-- folded: yes
-- most: 1000
select
    benchmark,
    published_table,
    published_model as model,
    task,
    condition,
    matcher,
    slice_name,
    slice_value,
    metric,
    published_value as published,
    own_value as ours,
    difference,
    published_deviation
from evaluation.evaluation__published_results
where own_value is not null
order by
    benchmark, published_model, task, condition, matcher, published_table, slice_name,
    slice_value, metric, run
