-- a metric of a benchmark by run, over one split: the one that is named, or of several test splits
-- the first by name that has something the metric counts
with scores as (
    select
        *,
        min(split) filter (
            where
            split = getvariable('split')
            or (getvariable('split') is null and is_shown)
        ) over (partition by benchmark, metric) as shown_split
    from evaluation.evaluation__leaderboard
)

select
    model, run, task, condition, matcher, split, unit, value, standard_deviation, is_scored, n
from scores
where
    split = shown_split
    and matcher_place = 1
    and (getvariable('benchmark') is null or benchmark = getvariable('benchmark'))
    and (getvariable('metric') is null or metric = getvariable('metric'))
-- ranks are of one task, which has its own matcher
order by
    task asc, condition asc, is_scored desc, rank asc, value desc, model asc, run asc
