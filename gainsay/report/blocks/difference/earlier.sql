-- the benchmarks of the earlier build
select distinct benchmark
from other.report.report__stages
order by benchmark
