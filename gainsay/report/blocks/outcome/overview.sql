-- title: How many candidates passed every stage
-- draw: bars
select benchmark, screening, n as n_retained, n_candidates, share
from report.report__stages
where is_retained
order by benchmark, screening
