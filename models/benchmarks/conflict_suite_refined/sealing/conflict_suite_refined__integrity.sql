with
violation_counts as (
    select check_name, count(*) as n_violations
    from {{ ref('conflict_suite_refined__violations') }}
    group by check_name
)

select
    coalesce(checks.check_name, violation_counts.check_name) as check_name,
    checks.description,
    coalesce(violation_counts.n_violations, 0) as n_violations,
    violation_counts.check_name is null as is_passed
from {{ ref('conflict_suite_refined__integrity_checks') }} as checks
full outer join violation_counts
    on checks.check_name = violation_counts.check_name
