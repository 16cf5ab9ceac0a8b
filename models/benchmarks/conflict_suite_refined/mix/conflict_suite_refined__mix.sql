with

feasible_states as (

    select * from {{ ref('conflict_suite_refined__feasible_states') }}

),

quotas as (

    select * from {{ ref('conflict_suite_refined__quotas') }}

),

placed_bases as (

    {{ seeded_places(
        'feasible_states', 'mix', 'base_id',
        partition_by=['family', 'can_be_clean', 'can_be_irrelevant', 'can_be_different']
    ) }}

),

final as (

    select
        placed_bases.base_id,
        placed_bases.family,
        case
            when placed_bases.seeded_place < quotas.n_clean then 'clean'
            when placed_bases.seeded_place < quotas.n_clean + quotas.n_irrelevant then 'irrelevant'
            else 'different'
        end as mix_state
    from placed_bases
    inner join quotas
        on
            placed_bases.family = quotas.family
            and placed_bases.can_be_clean = quotas.can_be_clean
            and placed_bases.can_be_irrelevant = quotas.can_be_irrelevant
            and placed_bases.can_be_different = quotas.can_be_different

)

select * from final
