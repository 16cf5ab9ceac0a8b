with

feasible_states as (

    select * from {{ ref('conflict_suite_refined__feasible_states') }}

),

quotas as (

    select * from {{ ref('conflict_suite_refined__quotas') }}

),

ranked_bases as (

    select
        *,
        row_number() over (
            partition by family, can_be_clean, can_be_irrelevant, can_be_different
            order by {{ seeded_order('mix', 'base_id') }}, base_id
        ) as mix_rank
    from feasible_states

),

final as (

    select
        ranked_bases.base_id,
        ranked_bases.family,
        case
            when ranked_bases.mix_rank <= quotas.n_clean then 'clean'
            when ranked_bases.mix_rank <= quotas.n_clean + quotas.n_irrelevant then 'irrelevant'
            else 'different'
        end as mix_state
    from ranked_bases
    inner join quotas
        on
            ranked_bases.family = quotas.family
            and ranked_bases.can_be_clean = quotas.can_be_clean
            and ranked_bases.can_be_irrelevant = quotas.can_be_irrelevant
            and ranked_bases.can_be_different = quotas.can_be_different

)

select * from final
