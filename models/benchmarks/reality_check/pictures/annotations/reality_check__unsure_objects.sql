-- a view, because it has few rows
{{ config(materialized='view') }}
with
files as (select * from {{ ref('images__files') }}),

seen_objects as (
    select files.source_image_id, {{ unnest_list('detections.objects') }} as object
    from files
    inner join {{ ref('reality_check__detections') }} as detections
        on files.sha256 = detections.image_sha256
),

depictions as (
    select * from {{ ref('stg_openimages__boxes') }}
    where {{ text_literal(var('detector')) }} = '' and is_depiction
),

openimages_classes as (
    select label_name, {{ min_by('lower(display_name)', 'source_file') }} as class_name
    from {{ ref('stg_openimages__classes') }}
    group by label_name
),

-- a drawn or copied object counts for some and not for others
depicted_objects as (
    select distinct
        files.source_image_id,
        coalesce(
            openimages_categories.category, openimages_classes.class_name, depictions.label_name
        ) as label,
        {{ list_value(
            'depictions.x_min * files.width',
            'depictions.y_min * files.height',
            '(depictions.x_max - depictions.x_min) * files.width',
            '(depictions.y_max - depictions.y_min) * files.height'
        ) }} as bbox,
        cast(1 as double) as confidence
    from depictions
    inner join {{ ref('reality_check__openimages_images') }} as openimages_images
        using (openimages_id)
    inner join files on openimages_images.image_id = files.source_image_id
    left join openimages_classes using (label_name)
    left join {{ ref('openimages_categories') }} as openimages_categories
        on openimages_classes.class_name = openimages_categories.class_name
),

own_annotations as (
    select * from {{ ref('reality_check__own_annotations') }}
    where {{ text_literal(var('detector')) }} = '' and problem is null and caption is null
)

select * from depicted_objects
union all
select source_image_id, label, bbox, cast(confidence as double) as confidence
from own_annotations
where
    confidence > {{ var('reality_check_unsure_confidence') }}
    and confidence <= {{ var('detector_confidence') }}
union all
select
    source_image_id,
    object.label as label,
    object.bbox as bbox,
    object.confidence as confidence
from seen_objects
where
    object.confidence > {{ var('reality_check_unsure_confidence') }}
    and object.confidence <= {{ var('detector_confidence') }}
