-- the candidates of every screening that ended at each stage; DuckDB and Spark read it alike
select benchmark, screening, stage, reason, cast(sum(n) as bigint) as n, sum(share) as share
from audit.audit__funnel
group by benchmark, screening, stage, reason, stage_order
order by benchmark, screening, stage_order
