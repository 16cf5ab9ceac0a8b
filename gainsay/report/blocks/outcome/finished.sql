-- title: finished examples by split
-- draw: bars
select benchmark, found as split, n as n_examples, share
from report.report__distributions
where dimension = 'split'
order by benchmark asc, n desc, found asc
