-- title: Margins of guessing whether to answer, and what; variety; the least that a reading found
-- one line a benchmark; margins and splits are those that a limit holds for, or else of all
-- examples; question sets of others stand below ours, and nobody here has read them
with margins as (
    select
        benchmark,
        case guessed when 'answer' then 'what' else 'whether' end as asked,
        max(margin) as margin
    from (
        select
            *,
            dense_rank() over (
                partition by benchmark, guessed = 'answer' order by margin_limit is null
            ) as place
        from audit.audit__blind_scores
        where
            reader = 'cross_fitted'
            and (margin_limit is not null or (slice_name = 'all' and view <> 'both'))
    ) as limited_first
    where place = 1
    group by all
),

whole_groups as (
    select benchmark, max(group_accuracy) as whole_groups_share
    from audit.audit__blind_scores
    where group_limit is not null
    group by benchmark
),

varieties as (
    select
        *,
        row_number() over (
            partition by benchmark order by is_limit_met is null, split <> 'all', split
        ) as place
    from audit.audit__variety
    where slice_name = 'all' and (split = 'all' or is_limit_met is not null)
),

readings as (
    select
        benchmark,
        count(*) as n_readings,
        -- each reading is of something else, so that no share of all of them means anything
        min(share_right) as least_right_share
    from audit.audit__readings
    group by benchmark
),

ours as (select distinct benchmark from audit.audit__funnel)

select
    varieties.benchmark,
    varieties.split,
    whether.margin as whether_margin_share,
    what.margin as what_margin_share,
    whole_groups.whole_groups_share,
    varieties.n_groups as n_asked,
    varieties.n_questions,
    varieties.effective_questions as questions_in_effect,
    varieties.most_frequent_share,
    varieties.told_share as told_by_others_share,
    readings.n_readings,
    readings.least_right_share
from varieties
left join margins as whether
    on varieties.benchmark = whether.benchmark and whether.asked = 'whether'
left join margins as what
    on varieties.benchmark = what.benchmark and what.asked = 'what'
left join whole_groups
    on varieties.benchmark = whole_groups.benchmark
left join readings
    on varieties.benchmark = readings.benchmark
where varieties.place = 1
order by varieties.benchmark not in (select ours.benchmark from ours), varieties.benchmark
