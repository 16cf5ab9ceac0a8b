-- draw: bars
-- most: 20
select benchmark, dimension, found as value, share, n as n_examples
from report.report__distributions
order by
    benchmark asc,
    min(place) over (partition by benchmark, dimension) asc,
    dimension asc,
    n desc,
    found asc
