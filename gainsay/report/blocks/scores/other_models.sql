-- title: answers of other models than were asked, as the server says
select
    benchmark,
    model,
    run,
    task,
    condition,
    other_model as such_as,
    n_of_other_models,
    n_answers
from evaluation.evaluation__runs
where split = 'all' and n_of_other_models > 0
order by benchmark, model, run, task, condition
