-- title: all other metrics
-- draw: scores
-- link: value: benchmark, task, condition, wrong=model, slice=of_slice
-- a benchmark's main metric is the first of those that its models are scored by
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
    leaderboard.benchmark,
    leaderboard.rank,
    leaderboard.model,
    leaderboard.run,
    leaderboard.value,
    leaderboard.standard_deviation,
    leaderboard.unit,
    leaderboard.target,
    leaderboard.is_target_met,
    leaderboard.task,
    leaderboard.condition,
    leaderboard.matcher,
    leaderboard.metric,
    leaderboard.split,
    leaderboard.n as n_answers,
    leaderboard.n_unanswered,
    leaderboard.n_unrated,
    leaderboard.n_unmatched,
    leaderboard.metric = main_metrics.metric as is_main,
    case when leaderboard.split <> 'all' then 'split=' || leaderboard.split end as of_slice
from evaluation.evaluation__leaderboard as leaderboard
inner join main_metrics
    on leaderboard.benchmark = main_metrics.benchmark
where leaderboard.is_shown
order by
    leaderboard.benchmark asc,
    is_main desc,
    leaderboard.split asc,
    leaderboard.task asc,
    leaderboard.condition asc,
    leaderboard.matcher_place asc,
    leaderboard.metric asc,
    leaderboard.rank asc nulls last,
    leaderboard.model asc,
    leaderboard.run asc
