with
oracle_policy as (
    select * from {{ ref('oracle_policy') }}
    where protocol = 'v1'
),

flagged_variants as (
    select
        variants.*,
        bases.question_id, bases.image_id, bases.source_image_id, bases.image_file, bases.question,
        bases.gold_answer, bases.family, bases.answer_type, bases.evidence_modality,
        bases.template_id, bases.base_split,
        bases.family = {{ text_literal(var('conflict_suite_heldout_family')) }}
            as heldout_family_flag,
        variants.corrupt_modality <> 'none'
        and variants.severity >= {{ var('conflict_suite_heldout_severity') }}
            as heldout_severity_flag
    from {{ ref('conflict_suite__variants') }} as variants
    inner join {{ ref('conflict_suite__bases') }} as bases using (base_id)
)

-- held-out examples leave the split of their image, in this order
select
    flagged_variants.example_id,
    flagged_variants.base_id as group_id,
    flagged_variants.base_id,
    flagged_variants.variant_id,
    flagged_variants.question_id,
    flagged_variants.image_id,
    flagged_variants.source_image_id,
    -- the suite corrupts the picture of the question, and never shows another one
    flagged_variants.source_image_id as shown_image_id,
    case when flagged_variants.vision_family is not null then flagged_variants.example_id end
        as recipe_id,
    flagged_variants.image_file,
    flagged_variants.text_input,
    flagged_variants.question,
    flagged_variants.gold_answer,
    case when oracle_policy.right_move = 'answer' then flagged_variants.gold_answer end
        as target,
    case
        when flagged_variants.heldout_family_flag then 'test_ood_family'
        when flagged_variants.heldout_severity_flag then 'test_ood_severity'
        {%- if var('conflict_suite_heldout_hard_swap') %}
            when flagged_variants.hard_swap_flag then 'test_ood_hard_swap'
        {%- endif %}
        else flagged_variants.base_split
    end as split,
    flagged_variants.base_split,
    flagged_variants.family,
    flagged_variants.operator,
    flagged_variants.corrupt_modality,
    flagged_variants.text_state,
    flagged_variants.image_state,
    flagged_variants.answer_type,
    flagged_variants.evidence_modality,
    oracle_policy.oracle_action,
    flagged_variants.template_id,
    flagged_variants.donor_base_id,
    flagged_variants.edit_kind,
    flagged_variants.edited_from,
    flagged_variants.edited_to,
    flagged_variants.vision_family,
    flagged_variants.vision_scale,
    flagged_variants.vision_seed_key,
    {{ text_literal(var('record_versions').conflict_suite) }} as record_version,
    flagged_variants.severity,
    -- a decimal prints alike on every engine
    cast(round(flagged_variants.donor_jaccard, 6) as decimal(7, 6)) as donor_jaccard,
    flagged_variants.vision_area_fraction,
    flagged_variants.heldout_family_flag,
    flagged_variants.heldout_severity_flag,
    flagged_variants.hard_swap_flag
from flagged_variants
left join oracle_policy using (text_state, image_state)
