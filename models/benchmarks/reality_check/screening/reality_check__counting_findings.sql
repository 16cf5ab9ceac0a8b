with
label_counts as (select * from {{ ref('reality_check__label_counts') }}),

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

-- captions tell of mirror images, or of pictures of things: some count them, and some do not
mirrored_images as (
    select distinct caption_tokens.source_image_id
    from (
        select captions.source_image_id, {{ unnest_list('captions.tokens') }} as token
        from {{ ref('images__captions') }} as captions
        inner join {{ ref('reality_check__images') }} as images
            on captions.source_image_id = images.image_id
    ) as caption_tokens
    inner join {{ vocabulary('reality_check', 'mirror_words') }} as mirror_words
        on caption_tokens.token = mirror_words.word
),

-- a label that no person would count alike, such as slices of a pizza, is no category; nor is one
-- that no caption has, because things at the side are outlined in part
countable_labels as (
    select
        label_counts.*,
        label_counts.n_crowds = 0
        and unsure_labels.label is null
        and mirrored_images.source_image_id is null
        -- what is tiny is overlooked
        and label_counts.largest_area_fraction >= {{ rc_threshold('least_counted_area') }}
            as is_sure
    from label_counts
    left join {{ ref('reality_check_category_names') }} as category_names using (label)
    left join {{ ref('reality_check__label_namings') }} as label_namings using (image_id, label)
    left join unsure_labels
        on
            label_counts.image_id = unsure_labels.source_image_id
            and label_counts.label = unsure_labels.label
    left join mirrored_images on label_counts.image_id = mirrored_images.source_image_id
    where
        label_counts.n_objects between 1 and {{ rc_threshold('most_counted') }}
        and coalesce(category_names.is_countable, true)
        and coalesce(label_namings.n_naming > 0, true)
),

-- how far the number lies from the smallest and the largest of other images
label_gaps as (
    select
        *,
        coalesce(
            greatest(
                n_objects - min(case when is_sure then n_objects end) over (partition by label),
                max(case when is_sure then n_objects end) over (partition by label) - n_objects
            ),
            0
        ) as widest_gap
    from countable_labels
),

-- a label whose number is sure, and that another image has in another number, before others
ranked_labels as (
    select
        *,
        row_number() over (
            partition by image_id
            order by
                case when is_sure then 0 else 1 end,
                case when widest_gap >= {{ rc_threshold('count_gap_least') }} then 0 else 1 end,
                n_objects desc,
                label asc
        ) as label_rank
    from label_gaps
),

found_categories as (
    select
        images.image_id, images.has_object_annotations, ranked_labels.label,
        coalesce(scenes.scene, 'unknown') as scene,
        ranked_labels.truth_source, ranked_labels.n_objects,
        annotated_images.image_id is not null as is_annotated,
        coalesce(ranked_labels.is_sure, true) as is_sure
    from {{ ref('reality_check__images') }} as images
    left join annotated_images using (image_id)
    left join ranked_labels
        on images.image_id = ranked_labels.image_id and ranked_labels.label_rank = 1
    left join {{ ref('reality_check__scenes') }} as scenes
        on images.image_id = scenes.source_image_id
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
        -- no crowd, unsure detection, mirror or tiny size makes the number unsure
        is_sure as passes_certainty,
        'a crowd, an unsure, mirrored or tiny ' || label as certainty_detail,
        n_objects
    from found_categories
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_counting', 'reality_check__counting_findings'
    ) }} as is_possible
from findings
