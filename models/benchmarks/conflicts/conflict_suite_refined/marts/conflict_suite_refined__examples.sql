with
flagged_variants as (
    select
        variants.*,
        bases.question_id, bases.image_id, bases.source_image_id,
        refined_bases.asked_question as question, bases.family,
        bases.answer_type, bases.evidence_modality, bases.template_id, bases.base_split,
        bases.family = {{ text_literal(var('conflict_suite_heldout_family')) }}
            as heldout_family_flag,
        variants.corrupt_modality <> 'none'
        and variants.severity >= {{ var('conflict_suite_heldout_severity') }}
            as heldout_severity_flag
    from {{ ref('conflict_suite_refined__variants') }} as variants
    inner join {{ ref('conflict_suite__bases') }} as bases using (base_id)
    inner join {{ ref('conflict_suite_refined__bases') }} as refined_bases using (base_id)
)

-- held-out examples leave the split of their image, as in the Conflict Suite
select
    flagged_variants.candidate_id as example_id,
    flagged_variants.base_id as group_id,
    flagged_variants.base_id,
    flagged_variants.protocol,
    flagged_variants.variant_id,
    flagged_variants.group_kind,
    flagged_variants.mix_state,
    flagged_variants.written_state,
    flagged_variants.question_id,
    flagged_variants.image_id,
    flagged_variants.source_image_id,
    flagged_variants.shown_image_id,
    flagged_variants.image_donor_id,
    flagged_variants.image_source,
    case when flagged_variants.rle is not null then flagged_variants.candidate_id end
        as recipe_id,
    flagged_variants.image_file,
    flagged_variants.text_input,
    flagged_variants.question,
    flagged_variants.gold_answer,
    -- where the right move is to abstain there is no target
    case when oracle_policy.right_move = 'answer' then flagged_variants.gold_answer end
        as target,
    flagged_variants.text_supported_target,
    flagged_variants.text_target_reason,
    flagged_variants.image_supported_target,
    case
        when flagged_variants.heldout_family_flag then 'test_ood_family'
        when flagged_variants.heldout_severity_flag then 'test_ood_severity'
        else flagged_variants.base_split
    end as split,
    flagged_variants.base_split,
    flagged_variants.family,
    flagged_variants.operator,
    flagged_variants.corrupt_modality,
    flagged_variants.text_state,
    flagged_variants.image_state,
    oracle_policy.text_information,
    oracle_policy.image_information,
    flagged_variants.answer_type,
    flagged_variants.evidence_modality,
    oracle_policy.oracle_action,
    oracle_policy.right_move,
    flagged_variants.template_id,
    -- no text of another base is shown
    cast(null as string) as donor_base_id,
    flagged_variants.editor,
    flagged_variants.edit_kind,
    flagged_variants.edited_from,
    flagged_variants.edited_to,
    flagged_variants.vision_family,
    case when flagged_variants.vision_family is not null then 'coco_mask' end as vision_scale,
    {{ text_literal(var('record_versions').conflict_suite) }} as record_version,
    flagged_variants.severity,
    flagged_variants.heldout_family_flag,
    flagged_variants.heldout_severity_flag,
    false as hard_swap_flag
from flagged_variants
left join {{ ref('oracle_policy') }} as oracle_policy using (protocol, text_state, image_state)
