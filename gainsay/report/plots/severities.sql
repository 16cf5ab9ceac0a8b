-- the accuracy of each run on pictures of each severity
select
    concat_ws(' ', model, nullif(nullif(run, 'default'), 'reference')) as name,
    matcher,
    slice_value as severity,
    value as accuracy,
    clustered_standard_error as standard_error,
    n
from evaluation.evaluation__scores
where
    slice_name = 'picture_severity'
    and metric = 'accuracy'
    and matcher_place = 1
    and task = 'open_ended'
    and (getvariable('benchmark') is null or benchmark = getvariable('benchmark'))
order by all
