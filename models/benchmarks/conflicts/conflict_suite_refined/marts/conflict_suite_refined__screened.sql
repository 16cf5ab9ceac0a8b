with
-- bases, and candidates that only the withdrawal of their picture keeps from being one
bases as (
    select * from {{ ref('conflict_suite__screened') }}
    where is_retained or drop_stage = 'withdrawal'
),

chosen_edits as (select * from {{ ref('conflict_suite_refined__chosen_edits') }}),

base_failures as (
    {{ first_failures('conflict_suite_refined', 'bases') }}
),

-- first the bases, by what their captions prove and what is shown beside them; then the texts that
-- each may have
candidates as (
    select
        bases.base_id as candidate_id,
        'bases' as screening, bases.base_id, cast(null as string) as mix_state, mix.group_kind,
        mix.other_source, mix.other_answer, mix.open_source, base_failures.drop_stage,
        base_failures.drop_reason, base_failures.drop_detail
    from bases
    left join base_failures on bases.base_id = base_failures.candidate_id
    left join {{ ref('conflict_suite_refined__mix') }} as mix using (base_id)
    union all
    select
        base_states.candidate_id, 'edits' as screening, base_states.base_id, base_states.mix_state,
        cast(null as string) as group_kind, cast(null as string) as other_source,
        cast(null as string) as other_answer, cast(null as string) as open_source,
        chosen_edits.drop_stage, chosen_edits.drop_reason, chosen_edits.drop_detail
    from {{ ref('conflict_suite_refined__base_states') }} as base_states
    left join chosen_edits using (candidate_id)
)

select
    candidates.candidate_id,
    candidates.screening,
    candidates.base_id,
    candidates.mix_state,
    candidates.group_kind,
    candidates.other_source,
    candidates.other_answer,
    candidates.open_source,
    bases.question_id,
    bases.image_id,
    bases.source_image_id,
    bases.image_file,
    bases.question,
    bases.multiple_choice_answer as answer,
    bases.family,
    bases.answer_type,
    bases.gold_answer,
    bases.caption,
    bases.evidence_words,
    {{ list_value('bases.caption', 'chosen_edits.edited_caption') }} as texts_seen,
    chosen_edits.text_source,
    chosen_edits.editor,
    chosen_edits.edit_kind,
    chosen_edits.edited_from,
    chosen_edits.edited_to,
    chosen_edits.edited_caption,
    chosen_edits.possible_answers,
    chosen_edits.fitting_states,
    chosen_edits.text_state,
    chosen_edits.text_supported_target,
    chosen_edits.text_target_reason,
    candidates.drop_stage,
    candidates.drop_reason,
    candidates.drop_detail,
    candidates.drop_stage is null as is_retained
from candidates
inner join bases using (base_id)
left join chosen_edits using (base_id, mix_state)
