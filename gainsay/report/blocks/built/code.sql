-- title: Code
-- folded: yes
-- most: 1000
-- code: name, value
select
    item as name,
    measure,
    value,
    list(distinct benchmark order by benchmark) as benchmarks
from report.report__manifests
where section = 'code'
group by item, measure, value
order by item, measure, value
