-- how two runs (model, run and other_model, other_run) differ on what both answered: whole groups,
-- each counted at the answer to its first record, then the credit of examples;
-- by the first matcher of the task unless one is named, and over the test splits together, of a
-- benchmark without any over all answers but to what is held back, unless a split, or the role of
-- splits, is named. The 95 % interval has all answers about one picture as one draw, by Student's
-- t with a picture less than there are (Abramowitz and Stegun 26.7.5, true to 0.0003 from nine on)
-- and variances of so few: some dozen pictures would seem to say more than they do
with shown_splits as (
    select distinct benchmark, split
    from evaluation.evaluation__leaderboard
    where
        split = getvariable('split')
        or split in (
            select split_roles.split
            from vocabulary.split_roles
            where split_roles.role = getvariable('split')
        )
        or (getvariable('split') is null and is_shown)
),

counted as (
    select
        benchmark, task, condition, matcher, model, run, slices, source_image_id, is_held_back,
        'credit' as metric, example_id as unit, credit as value
    from evaluation.evaluation__matches
    where credit is not null
    union all
    select
        matches.benchmark, matches.task, matches.condition, matches.matcher, matches.model,
        matches.run, matches.slices, matches.source_image_id, matches.is_held_back,
        'group_accuracy' as metric, groups.group_id as unit, groups.is_right::int as value
    from evaluation.evaluation__group_answers as groups
    inner join evaluation.evaluation__matches as matches
        using (source_file, file_position, matcher)
),

differences as (
    select
        own.benchmark, own.task, own.condition, own.matcher, own.metric, own.source_image_id,
        shown_splits.split, own.value as first, other.value as second,
        own.value - other.value as difference
    from counted as own
    inner join counted as other using (benchmark, task, condition, matcher, metric, unit)
    inner join evaluation.evaluation__matchers as matchers
        on
            own.benchmark = matchers.benchmark
            and own.task = matchers.task
            and own.matcher = matchers.matcher
    inner join shown_splits
        on
            own.benchmark = shown_splits.benchmark
            and (
                (shown_splits.split = 'all' and not own.is_held_back)
                or list_contains(own.slices, 'split=' || shown_splits.split)
            )
    where
        own.model = getvariable('model')
        and own.run = getvariable('run')
        and other.model = getvariable('other_model')
        and other.run = getvariable('other_run')
        and (getvariable('benchmark') is null or own.benchmark = getvariable('benchmark'))
        and (
            own.matcher = getvariable('matcher')
            or getvariable('matcher') = 'all'
            or (getvariable('matcher') is null and matchers.place = 1)
        )
),

means as (
    select
        benchmark, task, condition, matcher, metric, count(*) as n, avg(first) as first,
        avg(second) as second, avg(difference) as difference,
        nullif(string_agg(distinct split, ', ' order by split), 'all') as splits
    from differences
    group by all
),

images as (
    select
        benchmark, task, condition, matcher, metric, differences.source_image_id,
        sum(differences.difference - means.difference) as residual
    from differences
    inner join means using (benchmark, task, condition, matcher, metric)
    group by all
),

spreads as (
    select
        means.*,
        count(*) as n_images,
        greatest(count(*) - 1, 1) as freedom,
        sum(images.residual * images.residual) as squares
    from images
    inner join means using (benchmark, task, condition, matcher, metric)
    group by all
),

intervals as (
    select
        *,
        sqrt(squares * (freedom + 1) / freedom) / n * (
            1.959964 + 2.372271 / freedom + 2.822499 / pow(freedom, 2)
            + 2.555850 / pow(freedom, 3)
        ) as distance
    from spreads
)

-- of few pictures the residuals say nothing of how much a difference varies: of one they are 0
select
    benchmark, task, condition, matcher, metric, splits, n, n_images, first, second, difference,
    difference - distance as low,
    difference + distance as high,
    case
        when n_images >= getvariable('fewest_images') then abs(difference) > distance
    end as is_beyond_noise
from intervals
order by benchmark asc, task asc, condition asc, matcher asc, metric desc
