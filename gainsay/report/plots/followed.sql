-- whom models follow where picture and caption disagree: scores over all answers of a run
select model, task, condition, matcher, metric, value, standard_deviation, n
from evaluation.evaluation__scores
where
    slice_name = 'overall'
    and matcher_place = 1
    and (getvariable('benchmark') is null or benchmark = getvariable('benchmark'))
order by condition, task, model, run
