with

variants as (

    select * from {{ ref('conflict_suite__variants') }}

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

base_splits as (

    select * from {{ ref('conflict_suite__base_splits') }}

),

oracle_policy as (

    select * from {{ ref('oracle_policy') }}
    where protocol = 'v1'

),

flagged as (

    select
        variants.*,
        bases.question_id,
        bases.image_id,
        bases.source_image_id,
        bases.image_file,
        bases.question,
        bases.gold_answer,
        bases.family,
        bases.answer_type,
        bases.evidence_modality,
        bases.template_id,
        base_splits.base_split,
        bases.family = {{ text_literal(var('conflict_suite_heldout_family')) }} as heldout_family_flag,
        variants.corrupt_modality <> 'none'
        and variants.severity >= {{ var('conflict_suite_heldout_severity') }} as heldout_severity_flag
    from variants
    inner join bases
        on variants.base_id = bases.base_id
    inner join base_splits
        on bases.source_image_id = base_splits.source_image_id

),

-- held-out data leaves the split of its image, in this order
final as (

    select
        flagged.example_id,
        flagged.base_id,
        flagged.variant_id,
        flagged.question_id,
        flagged.image_id,
        flagged.source_image_id,
        flagged.image_file,
        flagged.text_input,
        flagged.question,
        flagged.gold_answer,
        case
            when flagged.heldout_family_flag then 'test_ood_family'
            when flagged.heldout_severity_flag then 'test_ood_severity'
            {%- if var('conflict_suite_heldout_hard_swap') %}
                when flagged.hard_swap_flag then 'test_ood_hard_swap'
            {%- endif %}
            else flagged.base_split
        end as split,
        flagged.base_split,
        flagged.family,
        flagged.operator,
        flagged.corrupt_modality,
        flagged.text_state,
        flagged.image_state,
        flagged.answer_type,
        flagged.evidence_modality,
        oracle_policy.oracle_action,
        flagged.template_id,
        flagged.donor_base_id,
        flagged.edit_kind,
        flagged.edited_from,
        flagged.edited_to,
        flagged.vision_family,
        flagged.vision_scale,
        flagged.vision_seed_key,
        {{ text_literal(var('conflict_suite_record_version')) }} as record_version,
        flagged.severity,
        -- a decimal prints alike on every engine
        cast(round(flagged.donor_jaccard, 6) as decimal(7, 6)) as donor_jaccard,
        flagged.vision_area_fraction,
        flagged.heldout_family_flag,
        flagged.heldout_severity_flag,
        flagged.hard_swap_flag
    from flagged
    left join oracle_policy
        on
            flagged.text_state = oracle_policy.text_state
            and flagged.image_state = oracle_policy.image_state

)

select * from final
