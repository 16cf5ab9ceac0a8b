with

edit_evidence as (

    select * from {{ ref('conflict_suite_refined__edit_evidence') }}

),

first_failures as (

    {{ first_failed_gate('conflict_suite_refined', {
        'response': 'conflict_suite_refined__response_gate',
        'refusal': 'conflict_suite_refined__refusal_gate',
        'validity': 'conflict_suite_refined__validity_gate',
        'unchanged': 'conflict_suite_refined__unchanged_gate',
        'answerable': 'conflict_suite_refined__answerable_gate',
        'gold_support': 'conflict_suite_refined__gold_support_gate',
        'other_answers': 'conflict_suite_refined__other_answers_gate',
    }, screening='edits') }}

),

-- an edit that passes comes before one that does not; then the order of the editors decides
ranked_edits as (

    select
        edit_evidence.*,
        first_failures.drop_stage,
        first_failures.drop_reason,
        row_number() over (
            partition by edit_evidence.base_id
            order by
                case when first_failures.drop_stage is null then 1 else 2 end,
                edit_evidence.preference
        ) as edit_rank
    from edit_evidence
    left join first_failures
        on edit_evidence.candidate_id = first_failures.candidate_id

),

final as (

    select
        base_id,
        mix_state,
        nullif(editor, 'none') as editor,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption,
        caption_evidence,
        edited_evidence,
        case
            when mix_state = 'different' and drop_stage is null
                then {{ list_extract('new_answers', 1) }}
        end as text_supported_target,
        case
            when mix_state = 'clean' then 'text_is_clean'
            when mix_state = 'irrelevant' then 'text_answers_nothing'
            when drop_stage is not null then drop_reason
        end as text_target_reason,
        drop_stage,
        drop_reason,
        drop_stage is null as is_retained
    from ranked_edits
    where edit_rank = 1

)

select * from final
