select
    'conflict_suite' as benchmark,
    'monotonicity_violation_rate' as metric,
    cast({{ var('evaluation_target_monotonicity_violation_rate') }} as double) as target
union all
select
    'conflict_suite' as benchmark,
    'ece' as metric,
    cast({{ var('evaluation_target_ece') }} as double) as target
union all
select
    'conflict_suite' as benchmark,
    'brier' as metric,
    cast({{ var('evaluation_target_brier') }} as double) as target
