-- title: The last builds
-- code: command, version, vars_given
select
    started_at,
    command,
    target,
    code_version as version,
    seconds,
    n_models,
    n_tests,
    n_failed,
    vars as vars_given
from audit.audit__runs
order by started_at desc, invocation_id asc
limit 10
