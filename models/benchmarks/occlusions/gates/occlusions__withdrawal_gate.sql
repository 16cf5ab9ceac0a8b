with

-- what the Conflict Suite drops for this, and nothing else, would be bases here
withdrawn_bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where drop_stage = 'withdrawal'

),

files as (

    select source_image_id from {{ ref('images__files') }}

),

box_variants as (

    select
        variant_id,
        vision_family as family,
        vision_scale as scale,
        severity
    from {{ ref('variant_definitions') }}
    where operator = 'vision_corrupt'

),

-- the occlusions that every base with a landed picture has
occlusions as (

    select
        variant_id,
        family,
        scale,
        severity
    from box_variants
    union all
    select
        'occlusion_target' as variant_id,
        'occlusion_target' as family,
        'coco_mask' as scale,
        1 as severity
    union all
    select
        'occlusion_control' as variant_id,
        'occlusion_control' as family,
        'coco_mask' as scale,
        1 as severity
    union all
    select
        'inpaint_remove' as variant_id,
        'inpaint_remove' as family,
        'coco_mask' as scale,
        1 as severity

),

final as (

    select
        withdrawn_bases.base_id || '::' || occlusions.variant_id as candidate_id,
        withdrawn_bases.base_id,
        withdrawn_bases.source_image_id,
        withdrawn_bases.question,
        occlusions.family,
        occlusions.scale,
        withdrawn_bases.drop_detail,
        occlusions.severity,
        false as is_passed
    from withdrawn_bases
    inner join files
        on withdrawn_bases.source_image_id = files.source_image_id
    cross join occlusions

)

select * from final
