-- title: What each stage gained and lost
with now as (
    select benchmark, screening, stage, any_value(stage_order) as stage_order, sum(n) as n
    from audit.audit__funnel
    group by benchmark, screening, stage
)

select
    coalesce(now.benchmark, earlier.benchmark) as benchmark,
    coalesce(now.screening, earlier.screening) as screening,
    coalesce(now.stage, earlier.stage) as stage,
    coalesce(earlier.n, 0) as n_before,
    cast(coalesce(now.n, 0) as bigint) as n_now,
    n_now - n_before as change
from now
full join other.report.report__stages as earlier
    on
        now.benchmark = earlier.benchmark
        and now.screening = earlier.screening
        and now.stage = earlier.stage
where coalesce(now.n, 0) <> coalesce(earlier.n, 0)
order by
    abs(change) desc,
    benchmark asc,
    screening asc,
    coalesce(now.stage_order, earlier.stage_order) asc
