-- how many finished examples each benchmark has, and of how many candidates of its screenings
with finished as (
    select benchmark, sum(n) as n_examples
    from report.report__distributions
    where dimension = 'split'
    group by benchmark
),

screened as (
    select
        benchmark,
        sum(n_candidates) as n_candidates,
        sum(n) as n_retained,
        count(*) as n_screenings
    from report.report__stages
    where is_retained
    group by benchmark
)

select
    benchmark,
    coalesce(finished.n_examples, 0)::bigint as n_examples,
    screened.n_candidates::bigint as n_candidates,
    screened.n_retained::bigint as n_retained,
    screened.n_screenings
from screened
left join finished using (benchmark)
order by benchmark
