-- title: by slice
-- folded: yes
-- by the main metric of each benchmark, the first of those that its models are scored by
with main_metrics as (
    select
        leaderboard.benchmark,
        arg_min(leaderboard.metric, (metrics.place, leaderboard.metric)) as metric
    from evaluation.evaluation__leaderboard as leaderboard
    inner join evaluation.evaluation__metrics as metrics
        on leaderboard.benchmark = metrics.benchmark and leaderboard.metric = metrics.metric
    group by leaderboard.benchmark
)

select
    scores.benchmark,
    scores.slice_name as slice,
    scores.slice_value as of_slice,
    scores.model,
    scores.run,
    scores.value,
    scores.standard_deviation,
    scores.unit,
    scores.task,
    scores.condition,
    scores.matcher,
    scores.n as n_answers
from evaluation.evaluation__scores as scores
inner join main_metrics
    on scores.benchmark = main_metrics.benchmark and scores.metric = main_metrics.metric
where scores.slice_name <> 'overall'
order by
    scores.benchmark,
    scores.slice_name,
    scores.slice_value,
    scores.task,
    scores.condition,
    scores.matcher = 'exact',
    scores.matcher,
    scores.model,
    scores.run
