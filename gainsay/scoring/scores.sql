-- the rows of the leaderboard: of the split that is named, of all splits of the role that is named,
-- or of those that are shown; by each task's first matcher, the one that is named, or `all`
select *
from evaluation.evaluation__leaderboard
where
    (getvariable('benchmark') is null or benchmark = getvariable('benchmark'))
    and (getvariable('metric') is null or metric = getvariable('metric'))
    and (
        matcher = getvariable('matcher')
        or getvariable('matcher') = 'all'
        or (getvariable('matcher') is null and matcher_place = 1)
    )
    and (
        split = getvariable('split')
        or split in (
            select split_roles.split
            from vocabulary.split_roles
            where split_roles.role = getvariable('split')
        )
        or (getvariable('split') is null and is_shown)
    )
order by benchmark, task, condition, matcher_place, metric, split, rank nulls last, model, run
