-- read by whoever trains a selector of actions, and by nobody else
{{ config(materialized='view') }}
with
bases as (select * from {{ ref('conflict_suite__bases') }}),

-- a text that passes every check, whether a crossed group holds it or not
texts as (
    select chosen_edits.*, count(*) over (partition by chosen_edits.base_id) as n_states
    from {{ ref('conflict_suite_refined__chosen_edits') }} as chosen_edits
    inner join bases on chosen_edits.base_id = bases.base_id
    where
        chosen_edits.is_retained
        and bases.base_split = 'train'
        and bases.family <> {{ text_literal(var('conflict_suite_heldout_family')) }}
)

-- a base is in the mix with all three of its texts, so that the thirds are even in every family,
-- whichever pictures may be given along
select
    texts.base_id || '::carm::' || texts.mix_state as example_id,
    texts.base_id as group_id,
    texts.base_id,
    bases.question_id,
    bases.image_id,
    bases.source_image_id,
    bases.image_file,
    texts.edited_caption as text_input,
    bases.question,
    bases.gold_answer,
    case when oracle_policy.right_move = 'answer' then bases.gold_answer end as target,
    texts.text_supported_target,
    bases.base_split as split,
    bases.family,
    texts.mix_state as operator,
    texts.mix_state as text_state,
    'clean' as image_state,
    oracle_policy.text_information,
    oracle_policy.image_information,
    oracle_policy.oracle_action,
    oracle_policy.right_move,
    bases.answer_type,
    bases.template_id,
    texts.editor,
    texts.edit_kind,
    texts.edited_from,
    texts.edited_to,
    {{ text_literal(var('record_versions').conflict_suite) }} as record_version
from texts
inner join bases on texts.base_id = bases.base_id
inner join {{ ref('oracle_policy') }} as oracle_policy
    on
        oracle_policy.protocol = 'refined'
        and texts.mix_state = oracle_policy.text_state
        and oracle_policy.image_state = 'clean'
where texts.n_states = 3
