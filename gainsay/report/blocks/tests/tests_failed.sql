-- title: Tests that did not pass when they last ran
-- code: test, nodes
-- prose: message
with last_results as (
    select *
    from audit.audit__test_results
    qualify
        row_number() over (
            partition by test_name order by started_at desc, invocation_id asc
        ) = 1
)

select
    test_name as test,
    tested_nodes as nodes,
    status,
    n_failures as n_rows_found,
    message,
    started_at
from last_results
where status <> 'pass'
order by test_name
