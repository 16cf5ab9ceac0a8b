with
screened as (
    {{ union_of_ports('screened', ['screening', 'candidate_id']) }}
),

candidates as (
    select
        benchmark,
        screening,
        count(*) as n_candidates,
        count(distinct candidate_id) as n_distinct
    from screened
    group by benchmark, screening
),

funnels as (
    select
        benchmark,
        screening,
        sum(n) as n_counted,
        sum(share) as share_counted
    from {{ ref('audit__funnel') }}
    group by benchmark, screening
)

select
    candidates.benchmark,
    candidates.screening,
    candidates.n_candidates,
    candidates.n_distinct,
    funnels.n_counted,
    funnels.share_counted
from candidates
left join funnels
    on
        candidates.benchmark = funnels.benchmark
        and candidates.screening = funnels.screening
where
    candidates.n_candidates <> candidates.n_distinct
    or funnels.n_counted is null
    or candidates.n_candidates <> funnels.n_counted
    or abs(funnels.share_counted - 1) > 1e-9
