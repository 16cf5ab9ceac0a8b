-- title: How many candidates passed every stage
-- draw: bars
-- link: n_retained: benchmark, screening, stage='retained'
select benchmark, screening, n as n_retained, n_candidates, share
from report.report__stages
where is_retained
order by benchmark, screening
