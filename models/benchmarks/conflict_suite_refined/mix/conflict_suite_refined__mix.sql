with

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

ranked_bases as (

    select
        base_id,
        row_number() over (order by {{ seeded_order('mix', 'base_id') }}, base_id) - 1
            as mix_rank,
        count(*) over () as n_bases
    from bases

),

-- thirds of the shuffled bases
final as (

    select
        base_id,
        case
            when mix_rank * 3 < n_bases then 'clean'
            when mix_rank * 3 < n_bases * 2 then 'irrelevant'
            else 'different'
        end as mix_state
    from ranked_bases

)

select * from final
