with

bases as (

    select * from {{ ref('conflict_suite_refined__bases') }}

),

feasible_states as (

    select * from {{ ref('conflict_suite_refined__feasible_states') }}

),

final as (

    select
        bases.base_id as candidate_id,
        feasible_states.can_be_clean,
        feasible_states.can_be_irrelevant,
        feasible_states.can_be_different,
        feasible_states.base_id is not null as is_passed
    from bases
    left join feasible_states
        on bases.base_id = feasible_states.base_id

)

select * from final
