with
-- a label that is the name of its group has no other names of the group to choose from
scene_stages as (
    select
        counting_findings.image_id, counting_findings.label, counting_findings.scene,
        counting_findings.truth_source, counting_findings.n_objects,
        bias_failures.drop_stage as counting_stage,
        label_scenes.typicality, label_scenes.share, category_names.group_name,
        case
            when category_names.group_name is null then 'object'
            when category_names.group_name = counting_findings.label then 'object'
            when counting_findings.scene = 'unknown' then 'scene'
            when label_scenes.typicality is null then 'typicality'
        end as scene_stage
    from {{ ref('reality_check__counting_findings') }} as counting_findings
    left join {{ ref('reality_check__bias_failures') }} as bias_failures using (candidate_id)
    left join {{ ref('reality_check__label_scenes') }} as label_scenes using (label, scene)
    left join {{ ref('reality_check_category_names') }} as category_names using (label)
),

findings as (
    select
        'compound::counting+spurious_correlation::' || image_id as candidate_id,
        'compound' as bias_type, 'counting+spurious_correlation' as combination, image_id, label,
        group_name, scene, typicality, truth_source, 'hard' as difficulty,
        {{ list_value('label', 'scene', 'typicality') }} as evidence_words,
        {{ json_object(
            counting='counting_stage', label='label', n_objects='n_objects', scene='scene',
            spurious_correlation='scene_stage', typicality='typicality'
        ) }} as evidence,
        -- the image stands for counting, and its scene says something of the label
        counting_stage is null and scene_stage is null as passes_components,
        case
            when counting_stage is not null then 'counting: ' || counting_stage
            else 'spurious_correlation: ' || scene_stage
        end as components_detail,
        n_objects
    from scene_stages
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_compound', 'reality_check__counting_and_spurious_findings'
    ) }} as is_possible
from findings
