-- how many finished examples each benchmark has
select benchmark, sum(n)::bigint as n_examples
from report.report__distributions
where dimension = 'split'
group by benchmark
order by benchmark
