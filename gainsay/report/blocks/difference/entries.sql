-- title: what decided differently
-- code: name, before, now
select
    coalesce(now.benchmark, earlier.benchmark) as benchmark,
    coalesce(now.section, earlier.section) as section,
    coalesce(now.item, earlier.item) as name,
    coalesce(now.measure, earlier.measure) as measure,
    earlier.value as before,
    now.value as now
from report.report__manifests as now
full join other.report.report__manifests as earlier
    on
        now.benchmark = earlier.benchmark
        and now.protocol = earlier.protocol
        and now.section = earlier.section
        and now.item = earlier.item
        and now.measure = earlier.measure
where
    now.value is distinct from earlier.value
    and coalesce(now.section, earlier.section) in (
        'configuration', 'input', 'vocabulary', 'code', 'content'
    )
order by benchmark, section, name, measure
