with
occlusions as (select * from {{ ref('occlusions__coverage') }}),

-- bases, and candidates that only the withdrawal of their picture keeps from being one
bases as (
    select * from {{ ref('conflict_suite__screened') }}
    where is_retained or drop_stage = 'withdrawal'
),

first_failures as (
    {{ first_failures('occlusions', 'occlusions') }}
),

oracle_policy as (
    select * from {{ ref('oracle_policy') }}
    where
        protocol = 'refined'
        and text_state = 'clean'
),

-- a target and the control of its base are a pair
judged_occlusions as (
    select
        occlusions.*,
        occlusions.family as operator,
        first_failures.drop_stage, first_failures.drop_reason, first_failures.drop_detail,
        case when findings.passes_judge is null then 'judge' end as stages_not_asked,
        first_failures.candidate_id is null as is_retained,
        case when first_failures.candidate_id is null then findings.image_state end as image_state,
        case when first_failures.candidate_id is null then findings.image_supported_target end
            as image_supported_target,
        case occlusions.family
            when 'occlusion_target' then occlusions.base_id || '::occlusion_control'
            when 'occlusion_control' then occlusions.base_id || '::occlusion_target'
        end as partner_id
    from occlusions
    left join {{ ref('occlusions__findings') }} as findings using (candidate_id)
    left join first_failures using (candidate_id)
)

select
    judged_occlusions.candidate_id,
    'occlusions' as screening,
    judged_occlusions.candidate_id as example_id,
    judged_occlusions.base_id,
    bases.question_id,
    bases.image_id,
    judged_occlusions.source_image_id,
    judged_occlusions.judged_picture_id,
    bases.image_file,
    judged_occlusions.question,
    bases.multiple_choice_answer as answer,
    bases.gold_answer,
    judged_occlusions.categories,
    {{ list_value('judged_occlusions.categories') }} as evidence_words,
    cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
    bases.family,
    judged_occlusions.operator,
    judged_occlusions.scale,
    judged_occlusions.rle,
    judged_occlusions.object_rle,
    judged_occlusions.image_state,
    judged_occlusions.image_supported_target,
    oracle_policy.oracle_action,
    oracle_policy.right_move,
    -- a pair is two rows that name each other
    case when judged_occlusions.is_retained then partners.candidate_id end as paired_example_id,
    judged_occlusions.drop_stage,
    judged_occlusions.drop_reason,
    judged_occlusions.drop_detail,
    judged_occlusions.stages_not_asked,
    judged_occlusions.severity,
    judged_occlusions.image_width,
    judged_occlusions.image_height,
    judged_occlusions.box_left,
    judged_occlusions.box_top,
    judged_occlusions.box_width,
    judged_occlusions.box_height,
    judged_occlusions.object_area,
    judged_occlusions.covered_area,
    judged_occlusions.covered_share,
    judged_occlusions.is_retained
from judged_occlusions
left join bases using (base_id)
left join judged_occlusions as partners
    on judged_occlusions.partner_id = partners.candidate_id and partners.is_retained
left join oracle_policy on judged_occlusions.image_state = oracle_policy.image_state
