with

rules as (

    select
        base_id,
        'different' as mix_state,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption
    from {{ ref('conflict_suite_refined__different_edits') }}
    union all
    select
        base_id,
        'irrelevant' as mix_state,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption
    from {{ ref('conflict_suite_refined__irrelevant_edits') }}

),

llm as (

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

-- who was asked nothing has not answered
final as (

    select
        mix.base_id,
        mix.mix_state,
        editors.editor,
        rules.edit_kind,
        rules.edited_from,
        rules.edited_to,
        rules.edited_caption,
        cast(null as {{ dbt.type_string() }}) as response_reason,
        editors.preference
    from mix
    inner join editors
        on editors.editor = 'rules'
    left join rules
        on
            mix.base_id = rules.base_id
            and mix.mix_state = rules.mix_state
    union all
    select
        mix.base_id,
        mix.mix_state,
        editors.editor,
        llm.edit_kind,
        llm.edited_from,
        llm.edited_to,
        llm.edited_caption,
        case when llm.base_id is null then 'response_missing' else llm.response_reason end
            as response_reason,
        editors.preference
    from mix
    inner join editors
        on editors.editor = 'llm'
    left join llm
        on mix.base_id = llm.base_id

)

select * from final
