with

screened as (

    select
        'conflict_suite' as benchmark,
        coalesce(drop_stage, 'retained') as stage,
        coalesce(family, 'none') as family
    from {{ ref('conflict_suite__screened') }}
    union all
    select
        'conflict_suite_refined' as benchmark,
        coalesce(drop_stage, 'retained') as stage,
        family
    from {{ ref('conflict_suite_refined__screened') }}
    union all
    -- an occlusion's family is that of what was done to the picture
    select
        'occlusions' as benchmark,
        coalesce(drop_stage, 'retained') as stage,
        family
    from {{ ref('occlusions__screened') }}
    union all
    -- a sample's family is the kind of its change, a request without a sample has none
    select
        'clash' as benchmark,
        coalesce(drop_stage, 'retained') as stage,
        coalesce(change_type, 'none') as family
    from {{ ref('clash__screened') }}

),

reasons as (

    select * from {{ ref('audit__gates') }}

),

counted as (

    select
        benchmark,
        stage,
        family,
        count(*) as n
    from screened
    group by benchmark, stage, family

),

-- shares are of all candidates of a benchmark
final as (

    select
        counted.benchmark,
        reasons.stage_order,
        counted.stage,
        reasons.reason,
        counted.family,
        counted.n,
        cast(counted.n as double) / sum(counted.n) over (partition by counted.benchmark)
            as share
    from counted
    inner join reasons
        on
            counted.benchmark = reasons.benchmark
            and counted.stage = reasons.stage

)

select * from final
