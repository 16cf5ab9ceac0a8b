with

bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

chosen_edits as (

    select * from {{ ref('conflict_suite_refined__chosen_edits') }}

),

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

first_failures as (

    {{ first_failed_gate('conflict_suite_refined', {
        'picture': 'conflict_suite_refined__picture_gate',
    }, screening='variants') }}

),

-- first the bases, by their edits; then the variants of those that are left, by their pictures
candidates as (

    select
        base_id as candidate_id,
        'edits' as screening,
        base_id,
        cast(null as {{ dbt.type_string() }}) as variant_id,
        drop_stage,
        drop_reason
    from chosen_edits
    union all
    select
        variants.candidate_id,
        'variants' as screening,
        variants.base_id,
        variants.variant_id,
        first_failures.drop_stage,
        first_failures.drop_reason
    from variants
    left join first_failures
        on variants.candidate_id = first_failures.candidate_id

),

final as (

    select
        candidates.candidate_id,
        candidates.screening,
        candidates.base_id,
        candidates.variant_id,
        chosen_edits.mix_state,
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
        chosen_edits.editor,
        chosen_edits.edit_kind,
        chosen_edits.edited_from,
        chosen_edits.edited_to,
        chosen_edits.edited_caption,
        chosen_edits.caption_evidence,
        chosen_edits.edited_evidence,
        chosen_edits.text_supported_target,
        chosen_edits.text_target_reason,
        candidates.drop_stage,
        candidates.drop_reason,
        cast(null as {{ dbt.type_string() }}) as drop_detail,
        candidates.drop_stage is null as is_retained
    from candidates
    inner join chosen_edits
        on candidates.base_id = chosen_edits.base_id
    inner join bases
        on candidates.base_id = bases.base_id

)

select * from final
