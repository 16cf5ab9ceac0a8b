with
first_failures as (
    {{ first_failures('conflict_suite_refined', 'edits') }}
),

-- an edit that passes comes before one that does not; then the order of the editors decides
ranked_edits as (
    select
        text_states.*,
        first_failures.drop_stage, first_failures.drop_reason, first_failures.drop_detail,
        row_number() over (
            partition by text_states.candidate_id
            order by
                case when first_failures.drop_stage is null then 1 else 2 end,
                text_states.preference
        ) as edit_rank
    from {{ ref('conflict_suite_refined__text_states') }} as text_states
    left join first_failures on text_states.edit_id = first_failures.candidate_id
)

select
    candidate_id, base_id, mix_state, text_source,
    nullif(editor, 'none') as editor,
    edit_kind, edited_from, edited_to, edited_caption, possible_answers, fitting_states, text_state,
    case when text_state = 'different' then said_answer end as text_supported_target,
    case
        when text_state = 'clean' then 'text_is_clean'
        when text_state = 'irrelevant' then 'text_answers_nothing'
        when text_state is null then coalesce(drop_reason, 'text_answers_nothing')
    end as text_target_reason,
    drop_stage, drop_reason, drop_detail,
    drop_stage is null as is_retained
from ranked_edits
where edit_rank = 1
