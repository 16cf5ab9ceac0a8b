-- title: risk by coverage
-- draw: curves
-- x: share answered, the surest first
-- y: risk
-- folded: yes
-- most: 120
-- runs by the matcher that reads answers best; the plain run of a model has its name alone
with runs as (
    select
        source_file,
        benchmark,
        model,
        run,
        task,
        condition,
        arg_min(matcher, (matcher = 'exact', matcher)) as matcher
    from evaluation.evaluation__scores
    group by source_file, benchmark, model, run, task, condition
)

select
    runs.benchmark,
    concat_ws(
        ', ',
        runs.model,
        nullif(nullif(runs.run, 'default'), 'reference'),
        runs.task,
        runs.condition
    ) as run_name,
    curves.x as coverage,
    curves.y as risk,
    curves.n as n_answers
from evaluation.evaluation__curves as curves
inner join runs
    on curves.source_file = runs.source_file and curves.matcher = runs.matcher
where curves.curve = 'risk_coverage' and curves.point % 5 = 0
order by runs.benchmark, run_name, curves.point
