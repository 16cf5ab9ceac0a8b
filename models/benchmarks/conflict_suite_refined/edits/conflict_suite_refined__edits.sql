with
rule_edits as (select * from {{ ref('conflict_suite_refined__rule_edits') }}),
base_states as (select * from {{ ref('conflict_suite_refined__base_states') }}),

editors as (
    select * from {{ ref('editor_policies') }}
    where policy = {{ text_literal(var('editor_policy')) }}
),

-- a text without an editor is the caption; whoever edits, rules put the denial behind it; a base
-- that was never sent to a language model has no answer
edits as (
    select
        base_states.*,
        'none' as editor, cast(null as string) as edit_kind, cast(null as string) as edited_from,
        cast(null as string) as edited_to,
        base_states.caption as edited_caption,
        cast(null as string) as response_reason, 1 as preference
    from base_states
    where base_states.text_source = 'caption'
    union all
    select
        base_states.*,
        'rules' as editor, rule_edits.edit_kind, rule_edits.edited_from, rule_edits.edited_to,
        rule_edits.edited_caption, cast(null as string) as response_reason, 1 as preference
    from base_states
    left join rule_edits
        on
            base_states.base_id = rule_edits.base_id
            and base_states.mix_state = rule_edits.mix_state
    where base_states.text_source = 'denial'
    union all
    select
        base_states.*,
        editors.editor, rule_edits.edit_kind, rule_edits.edited_from, rule_edits.edited_to,
        rule_edits.edited_caption, cast(null as string) as response_reason, editors.preference
    from base_states
    inner join editors on editors.editor = 'rules'
    left join rule_edits
        on
            base_states.base_id = rule_edits.base_id
            and base_states.mix_state = rule_edits.mix_state
    where base_states.text_source = 'refined_edit'
    union all
    select
        base_states.*,
        editors.editor, llm_edits.edit_kind, llm_edits.edited_from, llm_edits.edited_to,
        llm_edits.edited_caption,
        case
            when llm_edits.base_id is null then 'response_missing'
            else llm_edits.response_reason
        end as response_reason,
        editors.preference
    from base_states
    inner join editors on editors.editor = 'llm'
    left join {{ ref('conflict_suite_refined__llm_edits') }} as llm_edits
        on
            base_states.base_id = llm_edits.base_id
            and base_states.mix_state = llm_edits.mix_state
    where base_states.text_source = 'refined_edit'
)

select candidate_id || '::' || editor as edit_id, *
from edits
