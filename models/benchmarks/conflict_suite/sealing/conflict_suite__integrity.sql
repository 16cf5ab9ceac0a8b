with
violations as (
    select check_name, count(*) as n_violations
    from {{ ref('conflict_suite__violations') }}
    group by check_name
)

select
    checks.check_name, checks.description,
    coalesce(violations.n_violations, 0) as n_violations,
    violations.check_name is null as is_passed
from {{ ref('integrity_checks') }} as checks
left join violations using (check_name)
