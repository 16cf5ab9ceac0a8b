with
oracle_policy as (
    select * from {{ ref('oracle_policy') }}
    where protocol = 'v1'
),

bases as (select * from {{ ref('conflict_suite__bases') }}),

definitions as (
    select * from {{ ref('variant_definitions') }}
    where {{ is_variant_in_use() }}
),

-- kept as it is, so that all cores make its variants: of so few rows one core would read most
texts as {{ computed_once() }} (
    select
        bases.base_id, bases.caption, donors.easy_donor_base_id, donors.hard_donor_base_id,
        donors.hard_donor_jaccard, donors.hard_swap_flag, text_edits.edit_kind,
        text_edits.edited_from, text_edits.edited_to, text_edits.edited_caption
    from bases
    inner join {{ ref('conflict_suite__donors') }} as donors using (base_id)
    inner join {{ ref('conflict_suite__text_edits') }} as text_edits using (base_id)
),

-- a variant's text is the base's caption, a donor's, or the edited one
text_sources as (
    select
        texts.base_id,
        definitions.*,
        texts.caption as base_caption,
        case definitions.text_source
            when 'easy_donor' then texts.easy_donor_base_id
            when 'hard_donor' then texts.hard_donor_base_id
        end as donor_base_id,
        case when definitions.text_source = 'hard_donor' then texts.hard_donor_jaccard end
            as donor_jaccard,
        case when definitions.text_source = 'text_edit' then texts.edit_kind end
            as edit_kind,
        case when definitions.text_source = 'text_edit' then texts.edited_from end
            as edited_from,
        case when definitions.text_source = 'text_edit' then texts.edited_to end
            as edited_to,
        case when definitions.text_source = 'text_edit' then texts.edited_caption end
            as edited_caption,
        definitions.text_source = 'hard_donor' and texts.hard_swap_flag as hard_swap_flag
    from texts
    cross join definitions
),

variants as (
    select
        text_sources.base_id || '::' || text_sources.variant_id as example_id,
        text_sources.base_id, text_sources.variant_id, text_sources.operator,
        text_sources.corrupt_modality,
        case text_sources.text_source
            when 'caption' then text_sources.base_caption
            when 'text_edit' then text_sources.edited_caption
            else donor_bases.caption
        end as text_input,
        text_sources.text_state, text_sources.image_state, text_sources.donor_base_id,
        text_sources.edit_kind, text_sources.edited_from, text_sources.edited_to,
        text_sources.vision_family, text_sources.vision_scale,
        case
            when text_sources.vision_family is not null
                then text_sources.base_id || '::' || text_sources.variant_id
        end as vision_seed_key,
        text_sources.severity, text_sources.donor_jaccard, text_sources.vision_area_fraction,
        text_sources.hard_swap_flag
    from text_sources
    left join bases as donor_bases on text_sources.donor_base_id = donor_bases.base_id
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
    from variants
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
