with

checks as (

    select * from {{ ref('integrity_checks') }}

),

violations as (

    select
        check_name,
        count(*) as n_violations
    from {{ ref('conflict_suite__violations') }}
    group by check_name

),

final as (

    select
        checks.check_name,
        checks.description,
        coalesce(violations.n_violations, 0) as n_violations,
        violations.check_name is null as is_passed
    from checks
    left join violations
        on checks.check_name = violations.check_name

)

select * from final
