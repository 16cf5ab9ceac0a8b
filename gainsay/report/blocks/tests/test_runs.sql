-- title: Tests by run
select
    started_at,
    count(*) as n_tests,
    count(*) filter (where status = 'pass') as n_passed,
    count(*) filter (where status = 'warn') as n_warned,
    count(*) filter (where status in ('fail', 'error')) as n_failed,
    count(*) filter (where status = 'skipped') as n_skipped,
    sum(seconds) as seconds
from audit.audit__test_results
group by invocation_id, started_at
order by started_at desc, invocation_id asc
limit 10
