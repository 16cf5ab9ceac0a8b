-- what models answered to records, and whether it is right by the first matcher of each
select
    answers.example_id, answers.task, answers.condition, answers.model, answers.run,
    any_value(matches.prediction) as prediction,
    bool_or(answers.is_right) as is_right
from evaluation.evaluation__candidate_answers as answers
inner join evaluation.evaluation__matches as matches
    using (benchmark, task, condition, example_id, model, run)
where
    getvariable('example_ids') is null
    or (
        answers.benchmark = getvariable('benchmark')
        and answers.example_id in (select unnest(getvariable('example_ids')))
    )
group by answers.example_id, answers.task, answers.condition, answers.model, answers.run
order by answers.model, answers.task, answers.example_id, answers.condition
limit 500
