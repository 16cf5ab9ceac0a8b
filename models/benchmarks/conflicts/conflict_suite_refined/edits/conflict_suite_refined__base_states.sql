with
mix_states as (
    select distinct written_state as mix_state
    from {{ ref('conflict_suite_refined_variants') }}
)

-- Not naming a thing says nothing about it: a caption whose answer is no is irrelevant as it is. It
-- says no where a sentence denies the thing, in the question's own words, which needs no editor.
select
    bases.base_id || '::' || mix_states.mix_state as candidate_id,
    bases.base_id, mix_states.mix_state, bases.question, bases.family, bases.answer_type,
    bases.gold_answer, bases.caption,
    case
        when bases.answer_type = 'boolean' and bases.gold_answer = 'no'
            then
                case mix_states.mix_state
                    when 'clean' then 'denial'
                    when 'irrelevant' then 'caption'
                    else 'refined_edit'
                end
        when mix_states.mix_state = 'clean' then 'caption'
        else 'refined_edit'
    end as text_source
from {{ ref('conflict_suite_refined__bases') }} as bases
cross join mix_states
