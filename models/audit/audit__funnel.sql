-- a view, so that it counts the screenings that are there, whichever build they are of
{{ config(materialized='view') }}
with
screened as (
    {{ union_of_ports('screened', ['screening', 'family', 'drop_stage']) }}
),

endings as (
    select
        benchmark, screening,
        coalesce(drop_stage, 'retained') as stage,
        coalesce(family, 'none') as family,
        count(*) as n
    from screened
    group by benchmark, screening, coalesce(drop_stage, 'retained'), coalesce(family, 'none')
)

-- shares are of all candidates of a screening
select
    endings.benchmark, endings.screening, gates.stage_order, endings.stage, gates.reason,
    endings.family, endings.n,
    cast(endings.n as double)
    / sum(endings.n) over (partition by endings.benchmark, endings.screening) as share
from endings
inner join {{ ref('audit__gates') }} as gates using (benchmark, screening, stage)
