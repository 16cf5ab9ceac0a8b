with

checks as (

    select * from {{ ref('conflict_suite_refined__integrity_checks') }}

),

violations as (

    select * from {{ ref('conflict_suite_refined__violations') }}

),

violation_counts as (

    select
        check_name,
        count(*) as n_violations
    from violations
    group by check_name

),

final as (

    select
        coalesce(checks.check_name, violation_counts.check_name) as check_name,
        checks.description,
        coalesce(violation_counts.n_violations, 0) as n_violations,
        violation_counts.check_name is null as is_passed
    from checks
    full outer join violation_counts
        on checks.check_name = violation_counts.check_name

)

select * from final
