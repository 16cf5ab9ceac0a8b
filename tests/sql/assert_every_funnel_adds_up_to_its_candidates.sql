with

candidates as (

    select
        'conflict_suite' as benchmark,
        count(*) as n_candidates
    from {{ ref('conflict_suite__screened') }}

),

funnels as (

    select
        benchmark,
        sum(n) as n_counted,
        sum(share) as share_counted
    from {{ ref('audit__funnel') }}
    group by benchmark

)

select
    candidates.benchmark,
    candidates.n_candidates,
    funnels.n_counted,
    funnels.share_counted
from candidates
left join funnels
    on candidates.benchmark = funnels.benchmark
where
    candidates.n_candidates > 0
    and (
        candidates.n_candidates is distinct from funnels.n_counted
        or abs(funnels.share_counted - 1) > 1e-9
    )
