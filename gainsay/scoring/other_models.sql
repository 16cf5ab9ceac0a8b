-- the runs of which the server says that another model answered than was asked
select distinct
    benchmark,
    task,
    condition,
    model,
    run,
    other_model,
    n_of_other_models,
    n_answers
from evaluation.evaluation__runs
where
    n_of_other_models > 0
    and (getvariable('benchmark') is null or benchmark = getvariable('benchmark'))
order by benchmark, task, condition, model, run
