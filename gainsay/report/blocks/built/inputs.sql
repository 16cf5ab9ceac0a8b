-- title: Input files
-- most: 1000
-- code: sha256
with read_files as (
    select
        benchmark,
        protocol,
        item as file,
        max(value) filter (where measure = 'n_records')::bigint as n_records,
        max(value) filter (where measure = 'n_rejected')::bigint as n_rejected,
        max(value) filter (where measure = 'sha256') as sha256
    from report.report__manifests
    where section = 'input'
    group by benchmark, protocol, item
)

select
    file,
    n_records,
    n_rejected,
    sha256,
    list(distinct benchmark order by benchmark) as benchmarks
from read_files
group by file, n_records, n_rejected, sha256
order by file, sha256
