with

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

retained_variants as (

    select candidate_id
    from {{ ref('conflict_suite_refined__screened') }}
    where screening = 'variants' and is_retained

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

oracle_policy as (

    select * from {{ ref('oracle_policy') }}
    where protocol in ({{ text_literals(var('conflict_suite_refined_protocols')) }})

),

protocols as (

    select distinct protocol
    from oracle_policy

),

flagged_variants as (

    select
        variants.*,
        bases.question_id,
        bases.image_id,
        bases.source_image_id,
        bases.question,
        bases.gold_answer,
        bases.family,
        bases.answer_type,
        bases.evidence_modality,
        bases.template_id,
        bases.base_split,
        bases.family = {{ text_literal(var('conflict_suite_heldout_family')) }}
            as heldout_family_flag,
        variants.corrupt_modality <> 'none'
        and variants.severity >= {{ var('conflict_suite_heldout_severity') }}
            as heldout_severity_flag
    from variants
    inner join retained_variants
        on variants.candidate_id = retained_variants.candidate_id
    inner join bases
        on variants.base_id = bases.base_id

),

-- held-out examples leave the split of their image, as in the Conflict Suite
final as (

    select
        flagged_variants.base_id || '::' || protocols.protocol || '::'
        || flagged_variants.variant_id as example_id,
        flagged_variants.base_id as group_id,
        flagged_variants.base_id,
        protocols.protocol,
        flagged_variants.variant_id,
        flagged_variants.question_id,
        flagged_variants.image_id,
        flagged_variants.source_image_id,
        coalesce(flagged_variants.image_donor_id, flagged_variants.source_image_id)
            as shown_image_id,
        flagged_variants.image_donor_id,
        cast(null as {{ dbt.type_string() }}) as recipe_id,
        flagged_variants.image_file,
        flagged_variants.text_input,
        flagged_variants.question,
        flagged_variants.gold_answer,
        -- where no action is right there is no target either
        case when oracle_policy.right_move = 'answer' then flagged_variants.gold_answer end
            as target,
        flagged_variants.text_supported_target,
        flagged_variants.text_target_reason,
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
        flagged_variants.answer_type,
        flagged_variants.evidence_modality,
        oracle_policy.oracle_action,
        flagged_variants.template_id,
        flagged_variants.edit_kind,
        flagged_variants.edited_from,
        flagged_variants.edited_to,
        {{ text_literal(var('conflict_suite_record_version')) }} as record_version,
        flagged_variants.severity,
        flagged_variants.heldout_family_flag,
        flagged_variants.heldout_severity_flag
    from flagged_variants
    cross join protocols
    left join oracle_policy
        on
            protocols.protocol = oracle_policy.protocol
            and flagged_variants.text_state = oracle_policy.text_state
            and flagged_variants.image_state = oracle_policy.image_state

)

select * from final
