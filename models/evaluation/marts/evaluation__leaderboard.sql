with
scores as (
    select
        *,
        case slice_name when 'overall' then 'all' else slice_value end as split,
        coalesce(share_scored >= {{ threshold('shared', 'least_scored') }}, false) as is_scored
    from {{ ref('evaluation__scores') }}
    where slice_name in ('overall', 'split')
),

gains as (select * from {{ ref('evaluation__blind_gains') }}),

-- a reference of that name stands for itself
majorities as (
    select * from {{ ref('evaluation__majorities') }}
    {%- if var('evaluation_reference_answers') %}
    where benchmark not in ('{{ benchmarks_of('conflicts__outcomes') | join("', '") }}')
    {%- endif %}
),

metrics as (
    select * from {{ ref('evaluation__metrics') }}
    where better is not null
),

test_splits as (
    select distinct runs.benchmark, runs.split
    from {{ ref('evaluation__runs') }} as runs
    inner join {{ ref('split_roles') }} as split_roles using (split)
    where split_roles.role = 'test'
),

tested_benchmarks as (
    select distinct benchmark from test_splits
),

-- runs that answer something rightly, not only abstain
answering_runs as (
    select source_file, matcher, split, true as is_answering
    from scores
    where metric = 'accuracy_on_answered' and value > 0
),

-- what is ranked together, in one unit
score_places as (
    select
        benchmark, task, condition, matcher, metric, split,
        max(unit) as unit,
        max(target) as target,
        max(matcher_place) as matcher_place
    from scores
    group by benchmark, task, condition, matcher, metric, split
),

-- the blind reader and the most frequent answer are rows beside the runs
compared_scores as (
    select
        scores.benchmark, scores.task, scores.condition, scores.matcher, scores.metric,
        scores.model, scores.run, scores.split, scores.unit, scores.value,
        scores.standard_deviation, scores.target, scores.completeness, scores.share_scored,
        gains.blind_value, gains.multimodal_gain, scores.matcher_place, scores.n,
        scores.n_unmatched, scores.n_unrated, scores.n_unanswered, scores.is_target_met,
        scores.is_scored,
        coalesce(answering_runs.is_answering, false) as is_answering
    from scores
    left join answering_runs using (source_file, matcher, split)
    left join gains using (benchmark, task, condition, matcher, metric, model, run, split)
    union all
    select
        gains.benchmark, gains.task, gains.condition, gains.matcher, gains.metric, gains.model,
        gains.run, gains.split, score_places.unit,
        gains.value * case when score_places.unit = 'percent' then 100 else 1 end as value,
        cast(null as double) as standard_deviation, score_places.target,
        cast(null as double) as completeness,
        cast(1 as double) as share_scored,
        gains.blind_value, gains.multimodal_gain, score_places.matcher_place, gains.n,
        cast(0 as bigint) as n_unmatched,
        cast(0 as bigint) as n_unrated,
        cast(null as bigint) as n_unanswered, cast(null as boolean) as is_target_met,
        true as is_scored, true as is_answering
    from gains
    inner join score_places using (benchmark, task, condition, matcher, metric, split)
    where gains.is_blind and gains.value is not null
    union all
    select
        majorities.benchmark, majorities.task, majorities.condition, score_places.matcher,
        majorities.metric, 'majority' as model, 'most_frequent' as run, majorities.split,
        score_places.unit,
        majorities.value * case when score_places.unit = 'percent' then 100 else 1 end as value,
        cast(null as double) as standard_deviation, score_places.target,
        cast(null as double) as completeness,
        cast(1 as double) as share_scored,
        cast(null as double) as blind_value, cast(null as double) as multimodal_gain,
        score_places.matcher_place, majorities.n,
        cast(0 as bigint) as n_unmatched,
        cast(0 as bigint) as n_unrated,
        cast(null as bigint) as n_unanswered, cast(null as boolean) as is_target_met,
        true as is_scored, true as is_answering
    from majorities
    inner join score_places
        on
            majorities.benchmark = score_places.benchmark
            and majorities.task = score_places.task
            and majorities.condition = score_places.condition
            and majorities.metric = score_places.metric
            and majorities.split = score_places.split
),

-- equal scores share a rank; scores that are incomplete, or of a metric without ranks, have none
metric_scores as (
    select
        compared_scores.*,
        metrics.better,
        compared_scores.is_scored
        and metrics.is_ranked
        and (
            compared_scores.is_answering
            or metrics.needs is distinct from 'confident_answers'
        ) as has_rank
    from compared_scores
    inner join metrics
        on
            compared_scores.benchmark = metrics.benchmark
            and compared_scores.metric = metrics.metric
            and coalesce(metrics.better_when, compared_scores.condition)
            = compared_scores.condition
)

select
    scores.benchmark,
    scores.task,
    scores.condition,
    scores.matcher,
    scores.metric,
    scores.model,
    scores.run,
    scores.split,
    scores.unit,
    case
        when scores.has_rank
            then
                cast(
                    rank() over (
                        partition by
                            scores.benchmark, scores.task, scores.condition, scores.matcher,
                            scores.metric, scores.split, scores.has_rank
                        order by
                            case scores.better
                                when 'lower' then scores.value
                                else -scores.value
                            end
                    ) as bigint
                )
    end as rank,
    scores.value,
    scores.standard_deviation,
    scores.target,
    scores.completeness,
    scores.share_scored,
    scores.blind_value,
    scores.multimodal_gain,
    scores.matcher_place,
    scores.n,
    scores.n_unmatched,
    scores.n_unrated,
    scores.n_unanswered,
    scores.is_target_met,
    scores.is_scored,
    case
        when tested_benchmarks.benchmark is null then scores.split = 'all'
        else test_splits.split is not null
    end as is_shown
from metric_scores as scores
left join tested_benchmarks on scores.benchmark = tested_benchmarks.benchmark
left join test_splits
    on scores.benchmark = test_splits.benchmark and scores.split = test_splits.split
