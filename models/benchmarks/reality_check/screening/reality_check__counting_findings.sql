with
label_counts as (select * from {{ ref('reality_check__label_counts') }}),

-- a label that no person would count alike, such as slices of a pizza, is no category; nor is one
-- that no caption has, because things at the side are outlined in part
ranked_labels as (
    select
        label_counts.*,
        row_number() over (
            partition by label_counts.image_id
            order by label_counts.n_objects desc, label_counts.label asc
        ) as label_rank
    from label_counts
    left join {{ ref('reality_check_category_names') }} as category_names using (label)
    left join {{ ref('reality_check__label_namings') }} as label_namings using (image_id, label)
    where
        label_counts.n_objects between 1 and {{ rc_threshold('most_counted') }}
        and coalesce(category_names.is_countable, true)
        and coalesce(label_namings.n_naming > 0, true)
),

annotated_images as (
    select distinct image_id from label_counts
),

files as (select * from {{ ref('images__files') }}),

seen_objects as (
    select files.source_image_id, {{ unnest_list('findings.objects') }} as object
    from files
    inner join {{ ref('reality_check__annotator_results') }} as findings
        on files.sha256 = findings.image_sha256
),

openimages_classes as (
    select label_name, {{ min_by('lower(display_name)', 'source_file') }} as class_name
    from {{ ref('stg_openimages__classes') }}
    group by label_name
),

-- what a detector or an annotator is not sure of; without a detector also what Open Images marks
-- as a depiction, since a drawn or copied object counts for some and not for others. COCO's
-- annotators are sure
unsure_labels as (
    select
        openimages_images.image_id as source_image_id,
        coalesce(
            openimages_categories.category, openimages_classes.class_name, boxes.label_name
        ) as label
    from {{ ref('stg_openimages__boxes') }} as boxes
    inner join {{ ref('images__openimages_images') }} as openimages_images
        using (openimages_id)
    left join openimages_classes using (label_name)
    left join {{ ref('openimages_categories') }} as openimages_categories
        on openimages_classes.class_name = openimages_categories.class_name
    where {{ text_literal(var('detector')) }} = '' and boxes.is_depiction
    union
    select source_image_id, label
    from {{ ref('reality_check__own_annotations') }}
    where
        {{ text_literal(var('detector')) }} = ''
        and problem is null
        and caption is null
        and confidence > {{ rc_threshold('unsure_confidence') }}
        and confidence <= {{ var('detector_confidence') }}
    union
    select source_image_id, object.label as label
    from seen_objects
    where
        object.confidence > {{ rc_threshold('unsure_confidence') }}
        and object.confidence <= {{ var('detector_confidence') }}
),

found_categories as (
    select
        images.image_id, images.has_object_annotations, ranked_labels.label,
        coalesce(scenes.scene, 'unknown') as scene,
        ranked_labels.truth_source, ranked_labels.n_objects,
        annotated_images.image_id is not null as is_annotated,
        coalesce(ranked_labels.n_crowds, 0) = 0 and unsure_labels.label is null as is_sure
    from {{ ref('reality_check__images') }} as images
    left join annotated_images using (image_id)
    left join ranked_labels
        on images.image_id = ranked_labels.image_id and ranked_labels.label_rank = 1
    left join {{ ref('reality_check__scenes') }} as scenes
        on images.image_id = scenes.source_image_id
    left join unsure_labels
        on
            ranked_labels.image_id = unsure_labels.source_image_id
            and ranked_labels.label = unsure_labels.label
),

findings as (
    select
        'counting::' || image_id as candidate_id,
        'counting' as bias_type, image_id, label, scene, truth_source,
        cast(null as string) as difficulty,
        {{ list_value('label', 'scene') }} as evidence_words,
        {{ json_object(label='label', n_objects='n_objects', scene='scene') }} as evidence,
        -- some object of the picture is known
        is_annotated as passes_annotation,
        case
            when has_object_annotations then 'its annotations name no object'
            else 'no annotations landed'
        end as annotation_detail,
        -- a label that may be counted has a countable number of single instances
        label is not null or not is_annotated as passes_category,
        -- neither a crowd nor an unsure detection makes the number unsure
        is_sure as passes_certainty,
        'a crowd or an unsure ' || label as certainty_detail,
        -- two unknown scenes are not one
        scene <> 'unknown' as passes_scene,
        n_objects
    from found_categories
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_counting', 'reality_check__counting_findings'
    ) }} as is_possible
from findings
