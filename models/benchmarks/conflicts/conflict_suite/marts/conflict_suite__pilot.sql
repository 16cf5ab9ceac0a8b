with
bases as (
    select base_id, family, base_split from {{ ref('conflict_suite__bases') }}
),

placed_bases as (
    {{ seeded_places('bases', 'pilot', 'base_id', partition_by=['family', 'base_split']) }}
),

strata as (
    select family, base_split, count(*) as n_stratum
    from bases
    group by family, base_split
),

totals as (
    select count(*) as n_bases, least({{ var('conflict_suite_pilot_size') }}, count(*)) as n_wanted
    from bases
),

-- whole seats by exact integer division; the remainders compete for what is left
shares as (
    select
        strata.family, strata.base_split, totals.n_wanted,
        {{ integer_division('totals.n_wanted * strata.n_stratum', 'totals.n_bases') }} as n_whole,
        totals.n_wanted * strata.n_stratum % totals.n_bases as remainder
    from strata
    cross join totals
),

seats as (
    select
        family, base_split, n_whole
        + case
            when
                row_number() over (order by remainder desc, family asc, base_split asc)
                <= n_wanted - sum(n_whole) over ()
                then 1
            else 0
        end as n_seats
    from shares
)

select examples.*
from {{ ref('conflict_suite__examples') }} as examples
inner join placed_bases using (base_id)
inner join seats
    on placed_bases.family = seats.family and placed_bases.base_split = seats.base_split
where placed_bases.seeded_place < seats.n_seats
