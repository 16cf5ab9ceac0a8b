with
occlusions as (
    select * from {{ ref('occlusions__screened') }}
    where is_retained
)

-- an occlusion has the split of its base: its severities are not those that are held out
select
    occlusions.example_id,
    occlusions.base_id as group_id,
    occlusions.base_id,
    bases.question_id,
    bases.image_id,
    bases.source_image_id,
    bases.source_image_id as shown_image_id,
    occlusions.example_id as recipe_id,
    occlusions.paired_example_id,
    bases.image_file,
    bases.caption as text_input,
    bases.question,
    bases.gold_answer,
    case when occlusions.right_move = 'answer' then bases.gold_answer end as target,
    bases.base_split as split,
    bases.family,
    occlusions.operator,
    'clean' as text_state,
    occlusions.image_state,
    occlusions.image_supported_target,
    bases.answer_type,
    occlusions.oracle_action,
    occlusions.categories,
    occlusions.scale as vision_scale,
    {{ text_literal(var('record_versions').conflict_suite) }} as record_version,
    occlusions.severity,
    occlusions.covered_share
from occlusions
inner join {{ ref('conflict_suite__bases') }} as bases using (base_id)
