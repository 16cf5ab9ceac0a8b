-- the points of the curves of all runs: risk by coverage, or how often answers are right by how
-- sure the model is; a run is named by its model, and by what of it is not the plain case
with runs as (
    select distinct source_file, benchmark, model, run, task, condition, matcher
    from evaluation.evaluation__scores
    where matcher_place = 1
)

select distinct
    concat_ws(
        ' ',
        runs.model,
        nullif(nullif(runs.run, 'default'), 'reference'),
        nullif(runs.condition, 'default'),
        replace(nullif(runs.task, 'open_ended'), '_', ' ')
    ) as name,
    runs.matcher,
    curves.point,
    curves.x,
    curves.y,
    curves.n
from evaluation.evaluation__curves as curves
inner join runs using (source_file, matcher)
where
    (getvariable('benchmark') is null or runs.benchmark = getvariable('benchmark'))
    and (getvariable('curve') is null or curves.curve = getvariable('curve'))
order by name, runs.matcher, curves.point
