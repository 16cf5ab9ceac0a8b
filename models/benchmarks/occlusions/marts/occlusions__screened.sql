with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

answerability as (

    select * from {{ ref('occlusions__answerability_gate') }}

),

first_failures as (

    {{ first_failed_gate('occlusions', {
        'masks': 'occlusions__masks_gate',
        'objects': 'occlusions__objects_gate',
        'control': 'occlusions__control_gate',
        'answerability': 'occlusions__answerability_gate',
    }, with_detail=['masks', 'control']) }}

),

oracle_policy as (

    select * from {{ ref('oracle_policy') }}
    where
        protocol = {{ text_literal(var('occlusions_oracle_protocol')) }}
        and text_state = 'clean'

),

-- a target and the control of its base are a pair
judged as (

    select
        coverage.*,
        first_failures.drop_stage,
        first_failures.drop_reason,
        first_failures.drop_detail,
        first_failures.candidate_id is null as is_retained,
        case when first_failures.candidate_id is null then answerability.image_state end
            as image_state,
        case coverage.family
            when 'occlusion_target' then coverage.base_id || '::occlusion_control'
            when 'occlusion_control' then coverage.base_id || '::occlusion_target'
        end as partner_id
    from coverage
    inner join answerability
        on coverage.candidate_id = answerability.candidate_id
    left join first_failures
        on coverage.candidate_id = first_failures.candidate_id

),

final as (

    select
        judged.candidate_id,
        'occlusions' as screening,
        judged.candidate_id as example_id,
        judged.base_id,
        bases.question_id,
        bases.image_id,
        judged.source_image_id,
        bases.image_file,
        judged.question,
        bases.multiple_choice_answer as answer,
        bases.gold_answer,
        judged.categories,
        {{ list_value('judged.categories') }} as evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        judged.family,
        judged.scale,
        judged.rle,
        judged.object_rle,
        judged.image_state,
        oracle_policy.oracle_action,
        oracle_policy.right_move,
        -- a pair is two rows that name each other
        case when judged.is_retained then partners.candidate_id end as paired_example_id,
        judged.drop_stage,
        judged.drop_reason,
        judged.drop_detail,
        judged.severity,
        judged.image_width,
        judged.image_height,
        judged.box_left,
        judged.box_top,
        judged.box_width,
        judged.box_height,
        judged.object_area,
        judged.covered_area,
        judged.covered_share,
        judged.is_retained
    from judged
    left join bases
        on judged.base_id = bases.base_id
    left join judged as partners
        on
            judged.partner_id = partners.candidate_id
            and partners.is_retained
    left join oracle_policy
        on judged.image_state = oracle_policy.image_state

)

select * from final
