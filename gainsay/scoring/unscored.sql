-- the runs of which no answer is scored: a row a reason, with how many answers it holds for
select
    runs.source_file,
    runs.benchmark,
    runs.model,
    runs.run,
    runs.n_answers,
    runs.n_asked,
    predictions.reason,
    rejections.description,
    count(*) as n,
    min(predictions.example_key) as example_key
from evaluation.evaluation__runs as runs
inner join evaluation.evaluation__predictions as predictions
    on runs.source_file = predictions.source_file
inner join vocabulary.prediction_rejections as rejections
    on predictions.reason = rejections.reason
where
    runs.split = 'all'
    and runs.n_unmatched = runs.n_answers
    and (getvariable('benchmark') is null or runs.benchmark = getvariable('benchmark'))
group by all
order by
    runs.benchmark asc, runs.model asc, runs.run asc, n desc, predictions.reason asc
