-- title: from where to where candidates moved
-- a candidate that is in one build alone is `not there` in the other
with moved as (
    select
        coalesce(now.benchmark, earlier.benchmark) as benchmark,
        coalesce(now.screening, earlier.screening) as screening,
        coalesce(earlier.stage, 'not there') as stage_before,
        coalesce(now.stage, 'not there') as stage_now
    from audit.audit__candidates as now
    full join other.audit.audit__candidates as earlier
        on
            now.benchmark = earlier.benchmark
            and now.screening = earlier.screening
            and now.candidate_id = earlier.candidate_id
    where now.stage is distinct from earlier.stage
)

select benchmark, screening, stage_before, stage_now, count(*) as n_candidates
from moved
group by benchmark, screening, stage_before, stage_now
order by
    benchmark asc, n_candidates desc, screening asc, stage_before asc, stage_now asc
