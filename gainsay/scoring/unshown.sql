-- the runs that answered no test split, and which splits they answered
select
    benchmark,
    model,
    run,
    coalesce(
        string_agg(distinct split, ', ' order by split) filter (where split <> 'all'),
        'examples without a split'
    ) as splits
from evaluation.evaluation__leaderboard
where getvariable('benchmark') is null or benchmark = getvariable('benchmark')
group by benchmark, model, run
having not bool_or(is_shown)
order by benchmark, model, run
