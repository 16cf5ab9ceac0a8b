-- title: Judges on open-ended answers
select
    model,
    run,
    condition,
    judges,
    metric,
    value as percent,
    standard_deviation as deviation,
    n as n_answers
from evaluation.evaluation__judge_agreement
order by model, run, condition, judges, metric
