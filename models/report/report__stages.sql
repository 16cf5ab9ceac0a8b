with
endings as (
    select benchmark, screening, stage, sum(n) as n
    from {{ ref('audit__funnel') }}
    group by benchmark, screening, stage
),

counted_stages as (
    select
        gates.* {{ exclude('sees_captions') }},
        gates.stage = 'retained' as is_retained,
        coalesce(endings.n, 0) as n
    from {{ ref('audit__gates') }} as gates
    left join endings using (benchmark, screening, stage)
)

-- the candidates left after a stage are those that end at a later one
select
    benchmark, screening, stage_order, stage, reason, description,
    cast(n as bigint) as n,
    cast(coalesce(sum(n) over (
        partition by benchmark, screening
        order by stage_order desc
        rows between unbounded preceding and 1 preceding
    ), 0) as bigint) as n_left,
    cast(sum(n) over (partition by benchmark, screening) as bigint) as n_candidates,
    cast(n as double)
    / nullif(sum(n) over (partition by benchmark, screening), 0) as share,
    -- a candidate that ends at this stage or a later one has passed all stages before it
    cast(n as double) / nullif(sum(n) over (
        partition by benchmark, screening
        order by stage_order desc
        rows between unbounded preceding and current row
    ), 0) as share_of_arrived,
    is_retained
from counted_stages
