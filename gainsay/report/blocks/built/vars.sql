-- title: Vars that decide
-- folded: yes
-- most: 1000
-- code: name, value
select
    item as name,
    measure,
    value,
    list(distinct benchmark order by benchmark) as benchmarks
from report.report__manifests
where section = 'configuration'
group by item, measure, value
order by item, measure, value
