-- title: Integrity checks of the manifests
select
    benchmark,
    protocol,
    item as check_name,
    value::bigint as n_violations,
    0 as n_allowed,
    value::bigint <= 0 as is_passed
from report.report__manifests
where section = 'integrity'
order by benchmark, protocol, check_name
