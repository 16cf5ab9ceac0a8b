with

different_edits as (

    select * from {{ ref('conflict_suite_refined__different_edits') }}

),

irrelevant_edits as (

    select * from {{ ref('conflict_suite_refined__irrelevant_edits') }}

),

llm_edits as (

    select * from {{ ref('conflict_suite_refined__llm_edits') }}

),

mix as (

    select * from {{ ref('conflict_suite_refined__mix') }}
    where mix_state <> 'clean'

),

editors as (

    select * from {{ ref('editor_policies') }}
    where policy = {{ text_literal(var('editor_policy')) }}

),

rule_edits as (

    select
        base_id,
        'different' as mix_state,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption
    from different_edits
    union all
    select
        base_id,
        'irrelevant' as mix_state,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption
    from irrelevant_edits

),

-- a base that was never sent to a language model has no answer
final as (

    select
        mix.base_id,
        mix.mix_state,
        editors.editor,
        rule_edits.edit_kind,
        rule_edits.edited_from,
        rule_edits.edited_to,
        rule_edits.edited_caption,
        cast(null as {{ dbt.type_string() }}) as response_reason,
        editors.preference
    from mix
    inner join editors
        on editors.editor = 'rules'
    left join rule_edits
        on
            mix.base_id = rule_edits.base_id
            and mix.mix_state = rule_edits.mix_state
    union all
    select
        mix.base_id,
        mix.mix_state,
        editors.editor,
        llm_edits.edit_kind,
        llm_edits.edited_from,
        llm_edits.edited_to,
        llm_edits.edited_caption,
        case
            when llm_edits.base_id is null then 'response_missing'
            else llm_edits.response_reason
        end as response_reason,
        editors.preference
    from mix
    inner join editors
        on editors.editor = 'llm'
    left join llm_edits
        on mix.base_id = llm_edits.base_id

)

select * from final
