with

bases as (

    select * from {{ ref('conflict_suite_refined__bases') }}

),

mix_states as (

    select distinct mix_state
    from {{ ref('conflict_suite_refined_variants') }}

),

-- not naming a thing says nothing about it: a caption whose answer is no is irrelevant as it is
final as (

    select
        bases.base_id || '::' || mix_states.mix_state as candidate_id,
        bases.base_id,
        mix_states.mix_state,
        bases.question,
        bases.family,
        bases.answer_type,
        bases.gold_answer,
        bases.caption,
        case
            when
                mix_states.mix_state = 'clean'
                or (
                    mix_states.mix_state = 'irrelevant'
                    and bases.answer_type = 'boolean'
                    and bases.gold_answer = 'no'
                )
                then 'caption'
            else 'refined_edit'
        end as text_source
    from bases
    cross join mix_states

)

select * from final
