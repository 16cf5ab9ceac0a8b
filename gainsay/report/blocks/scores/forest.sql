-- title: by how much the others differ from the best
-- draw: forest
-- Whole groups, or the credit of examples where there are none, of what both answered, over the
-- splits that are shown, by the first matcher of each task. The 95 % interval has all answers about
-- one picture as one draw, by Student's t (Abramowitz and Stegun 26.7.5), as `score --compare` has.
with shown_splits as (
    select distinct benchmark, split
    from evaluation.evaluation__leaderboard
    where is_shown
),

values_of_units as (
    select
        source_file, file_position, matcher,
        'credit' as metric, example_id as unit, credit as value
    from evaluation.evaluation__matches
    where credit is not null
    union all
    select
        source_file, file_position, matcher,
        'group_accuracy' as metric, group_id as unit, is_right::int as value
    from evaluation.evaluation__group_answers
),

counted as (
    select distinct
        matches.benchmark, matches.task, matches.condition, matches.source_image_id,
        concat_ws(', ', matches.model, nullif(matches.run, 'default')) as model,
        values_of_units.metric, values_of_units.unit, values_of_units.value
    from values_of_units
    inner join evaluation.evaluation__matches as matches using (source_file, file_position, matcher)
    inner join evaluation.evaluation__matchers as matchers
        on
            matches.benchmark = matchers.benchmark
            and matches.task = matchers.task
            and matches.matcher = matchers.matcher
            and matchers.place = 1
    inner join shown_splits
        on
            matches.benchmark = shown_splits.benchmark
            and (
                (shown_splits.split = 'all' and not matches.is_held_back)
                or list_contains(matches.slices, 'split=' || shown_splits.split)
            )
),

best as (
    select benchmark, task, condition, metric, model as best_model
    from counted
    group by benchmark, task, condition, metric, model
    qualify
        row_number() over (
            partition by benchmark, task, condition, metric order by avg(value) desc, model asc
        ) = 1
),

differences as (
    select
        counted.benchmark, counted.task, counted.condition, counted.metric, counted.model,
        best.best_model, counted.source_image_id, counted.value - best_counted.value as difference
    from counted
    inner join best using (benchmark, task, condition, metric)
    inner join counted as best_counted
        on
            counted.benchmark = best_counted.benchmark
            and counted.task = best_counted.task
            and counted.condition = best_counted.condition
            and counted.metric = best_counted.metric
            and counted.unit = best_counted.unit
            and best.best_model = best_counted.model
    where counted.model <> best.best_model
),

means as (
    select
        benchmark, task, condition, metric, model, best_model,
        avg(difference) as difference, count(*) as n
    from differences
    group by all
),

residuals as (
    select
        benchmark, task, condition, metric, model, differences.source_image_id,
        sum(differences.difference - means.difference) as residual
    from differences
    inner join means using (benchmark, task, condition, metric, model)
    group by all
),

spreads as (
    select
        benchmark, task, condition, metric, model,
        count(*) as n_images,
        count(*) - 1 as freedom,
        sqrt(sum(residual * residual) * count(*) / (count(*) - 1)) as spread
    from residuals
    group by all
    -- of fewer pictures nobody can say how much a difference varies
    having count(*) >= 10
),

intervals as (
    select
        means.*, spreads.n_images,
        spreads.spread / means.n * (
            1.959964 + 2.372271 / spreads.freedom + 2.822499 / pow(spreads.freedom, 2)
            + 2.555850 / pow(spreads.freedom, 3)
        ) as distance
    from means
    inner join spreads using (benchmark, task, condition, metric, model)
)

select
    benchmark,
    task,
    condition,
    metric,
    model,
    best_model,
    difference,
    difference - distance as difference_low,
    difference + distance as difference_high,
    n as n_compared,
    n_images,
    max(abs(difference) + distance) over (partition by benchmark, task, condition) as reach
from intervals
qualify metric = max(metric) over (partition by benchmark, task, condition)
order by benchmark asc, task asc, condition asc, difference desc, model asc
