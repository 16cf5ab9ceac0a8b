-- how many candidates of each screening end at each stage, and what the stage means
select
    funnel.screening, funnel.stage, funnel.reason,
    any_value(gates.description) as description,
    cast(sum(funnel.n) as bigint) as n,
    sum(funnel.share) as share
from audit.audit__funnel as funnel
inner join audit.audit__gates as gates using (benchmark, screening, stage_order, stage, reason)
where funnel.benchmark = coalesce(getvariable('benchmark'), funnel.benchmark)
group by funnel.benchmark, funnel.screening, stage_order, funnel.stage, funnel.reason
order by funnel.benchmark, funnel.screening, stage_order
