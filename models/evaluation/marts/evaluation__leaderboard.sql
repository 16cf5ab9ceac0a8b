with

scores as (

    select * from {{ ref('evaluation__scores') }}
    where slice_name = 'overall'

),

metrics as (

    select * from {{ ref('evaluation__metrics') }}
    where better is not null

),

-- equal scores share a rank
final as (

    select
        scores.benchmark,
        scores.task,
        scores.condition,
        scores.matcher,
        scores.metric,
        scores.model,
        scores.run,
        scores.unit,
        cast(
            rank() over (
                partition by
                    scores.benchmark, scores.task, scores.condition, scores.matcher, scores.metric
                order by case metrics.better when 'lower' then scores.value else -scores.value end
            ) as bigint
        ) as rank,
        scores.value,
        scores.standard_deviation,
        scores.target,
        scores.completeness,
        scores.matcher_place,
        scores.n,
        scores.n_unmatched,
        scores.is_target_met
    from scores
    inner join metrics
        on
            scores.benchmark = metrics.benchmark
            and scores.metric = metrics.metric
            and coalesce(metrics.better_when, scores.condition) = scores.condition

)

select * from final
