-- title: Published figures beside ours
-- folded: yes
-- most: 1000
select
    benchmark,
    published_model as model,
    task,
    condition,
    matcher,
    metric,
    published_value as published,
    own_value as ours,
    difference
from evaluation.evaluation__published_results
order by benchmark, published_model, task, condition, matcher, metric, run
