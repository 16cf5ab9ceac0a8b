-- title: by the leading metric of the board that most runs are on
-- draw: heat
-- rows: model
-- columns: board
-- folded: yes
-- link: value: benchmark, task, condition, wrong=of_model, slice=of_slice
-- the first metric of each board, over the test split where there is one
with led as (
    select
        leaderboard.*,
        dense_rank() over (
            partition by leaderboard.benchmark, leaderboard.task, leaderboard.condition
            order by metrics.place asc, leaderboard.split = 'all' asc, leaderboard.split asc
        ) as column_place
    from evaluation.evaluation__leaderboard as leaderboard
    inner join evaluation.evaluation__metrics as metrics
        on leaderboard.benchmark = metrics.benchmark and leaderboard.metric = metrics.metric
    where
        leaderboard.is_shown
        and leaderboard.is_scored
        and leaderboard.matcher_place = 1
        and metrics.is_ranked
),

boards as (
    select benchmark, task, condition, count(*) as n_runs
    from led
    where column_place = 1
    group by benchmark, task, condition
),

first_boards as (
    select *
    from boards
    qualify
        row_number() over (
            partition by benchmark order by n_runs desc, task asc, condition asc
        ) = 1
)

select
    led.benchmark,
    concat_ws(', ', led.model, nullif(led.run, 'default')) as model,
    concat_ws(
        ' ',
        concat(replace(led.benchmark, '_', ' '), ':'),
        replace(led.metric, '_', ' '),
        nullif(led.split, 'all')
    ) as board,
    led.rank,
    led.value,
    led.unit,
    led.task,
    led.condition,
    led.metric,
    led.split,
    led.n as n_answers,
    led.model as of_model,
    case when led.split <> 'all' then 'split=' || led.split end as of_slice
from led
inner join first_boards
    on
        led.benchmark = first_boards.benchmark
        and led.task = first_boards.task
        and led.condition = first_boards.condition
where led.column_place = 1
order by led.benchmark asc, led.rank asc nulls last, led.model asc, led.run asc
