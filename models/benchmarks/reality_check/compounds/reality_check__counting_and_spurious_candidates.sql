with

counting_candidates as (

    select * from {{ ref('reality_check__counting_candidates') }}

),

label_scenes as (

    select * from {{ ref('reality_check__label_scenes') }}

),

category_names as (

    select * from {{ ref('reality_check_category_names') }}

),

-- a label that is the name of its group has no other names of the group to choose from
scene_findings as (

    select
        counting_candidates.*,
        label_scenes.typicality,
        label_scenes.share,
        category_names.group_name,
        case
            when category_names.group_name is null then 'object'
            when category_names.group_name = counting_candidates.label then 'object'
            when counting_candidates.scene = 'unknown' then 'scene'
            when label_scenes.typicality is null then 'typicality'
        end as scene_stage
    from counting_candidates
    left join label_scenes
        on
            counting_candidates.label = label_scenes.label
            and counting_candidates.scene = label_scenes.scene
    left join category_names
        on counting_candidates.label = category_names.label

),

final as (

    select
        'compound::counting+spurious_correlation::' || image_id as candidate_id,
        'compound' as bias_type,
        'counting+spurious_correlation' as combination,
        image_id,
        label,
        group_name,
        scene,
        typicality,
        truth_source,
        'hard' as difficulty,
        {{ list_value('label', 'scene', 'typicality') }} as evidence_words,
        {{ json_object(
            counting='drop_stage', label='label', n_objects='n_objects', scene='scene',
            spurious_correlation='scene_stage', typicality='typicality'
        ) }} as evidence,
        case
            when drop_stage is not null or scene_stage is not null then 'components'
        end as drop_stage,
        case
            when drop_stage is not null then 'counting: ' || drop_stage
            when scene_stage is not null then 'spurious_correlation: ' || scene_stage
        end as drop_detail,
        n_objects
    from scene_findings

)

select * from final
