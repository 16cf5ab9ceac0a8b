with

bases as (

    select * from {{ ref('conflict_suite_refined__bases') }}

),

chosen_edits as (

    select * from {{ ref('conflict_suite_refined__chosen_edits') }}
    where is_retained

),

-- a base whose caption can be in none of the states is in no mix
final as (

    select
        chosen_edits.base_id,
        bases.family,
        bool_or(chosen_edits.mix_state = 'clean') as can_be_clean,
        bool_or(chosen_edits.mix_state = 'irrelevant') as can_be_irrelevant,
        bool_or(chosen_edits.mix_state = 'different') as can_be_different
    from chosen_edits
    inner join bases
        on chosen_edits.base_id = bases.base_id
    group by chosen_edits.base_id, bases.family

)

select * from final
