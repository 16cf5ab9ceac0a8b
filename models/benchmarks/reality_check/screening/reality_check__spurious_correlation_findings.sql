with
found_objects as (
    select
        images.image_id, images.has_object_annotations, main_objects.label,
        main_objects.truth_source, main_objects.doubt, main_objects.area_fraction, scenes.scene,
        label_scenes.typicality, label_scenes.share, category_names.group_name,
        coalesce(
            label_counts.n_objects = 1
            and label_counts.n_crowds = 0
            and main_objects.area_fraction >= {{ rc_threshold('spurious_least_area') }}
            -- a label that is the name of its group would be the question's own word
            and category_names.group_name <> main_objects.label,
            false
        ) as is_single
    from {{ ref('reality_check__images') }} as images
    left join {{ ref('reality_check__main_objects') }} as main_objects using (image_id)
    left join {{ ref('reality_check__label_counts') }} as label_counts
        on
            main_objects.image_id = label_counts.image_id
            and main_objects.label = label_counts.label
    left join {{ ref('reality_check_category_names') }} as category_names
        on main_objects.label = category_names.label
    left join {{ ref('reality_check__scenes') }} as scenes
        on images.image_id = scenes.source_image_id
    left join {{ ref('reality_check__label_scenes') }} as label_scenes
        on main_objects.label = label_scenes.label and scenes.scene = label_scenes.scene
),

findings as (
    select
        'spurious_correlation::' || image_id as candidate_id,
        'spurious_correlation' as bias_type, image_id, label, group_name, scene, typicality,
        truth_source, cast(null as string) as difficulty,
        {{ list_value('label', 'scene', 'typicality') }} as evidence_words,
        {{ json_object(
            area_fraction='area_fraction', label='label', scene='scene', share='share',
            typicality='typicality'
        ) }} as evidence,
        -- the picture has an object
        label is not null as passes_annotation,
        case
            when has_object_annotations then 'its annotations name no object'
            else 'no annotations landed'
        end as annotation_detail,
        -- it is the only one of its label, large enough and plainly the main one
        label is null or (is_single and doubt is null) as passes_object,
        case when is_single then doubt end as object_detail,
        label is null or scene is not null as passes_scene,
        -- the scene is frequent or rare for the label
        label is null or scene is null or typicality is not null as passes_typicality,
        area_fraction, share
    from found_objects
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_spurious_correlation', 'reality_check__spurious_correlation_findings'
    ) }} as is_possible
from findings
