-- a view, because its readers want the objects of few images
{{ config(materialized='view') }}
with
files as (select * from {{ ref('images__files') }}),

instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where {{ text_literal(var('detector')) }} = ''
),

annotated_objects as (
    select
        instances.source_image_id, instances.object_id, instances.label, instances.supercategory,
        instances.truth_source, instances.bbox, instances.confidence,
        {{ list_extract('instances.bbox', 3) }} * {{ list_extract('instances.bbox', 4) }}
        / (files.width * files.height) as area_fraction,
        instances.area / (files.width * files.height) as mask_fraction,
        instances.is_crowd
    from instances
    inner join files using (source_image_id)
),

openimages_boxes as (
    select * from {{ ref('stg_openimages__boxes') }}
    where {{ text_literal(var('detector')) }} = '' and not is_depiction
),

openimages_categories as (select * from {{ ref('openimages_categories') }}),

class_names as (
    select label_name, {{ min_by('lower(display_name)', 'source_file') }} as class_name
    from {{ ref('stg_openimages__classes') }}
    group by label_name
),

supercategories as (
    select distinct category, supercategory from openimages_categories
),

labelled_classes as (
    select
        class_names.label_name,
        coalesce(openimages_categories.category, class_names.class_name) as label
    from class_names
    left join openimages_categories using (class_name)
),

-- edges are shares of the sides
boxed_objects as (
    select
        files.source_image_id,
        openimages_boxes.source_file || ':'
        || cast(openimages_boxes.file_position as string) as object_id,
        coalesce(labelled_classes.label, openimages_boxes.label_name) as label,
        supercategories.supercategory, 'openimages_boxes' as truth_source,
        {{ list_value(
            'openimages_boxes.x_min * files.width',
            'openimages_boxes.y_min * files.height',
            '(openimages_boxes.x_max - openimages_boxes.x_min) * files.width',
            '(openimages_boxes.y_max - openimages_boxes.y_min) * files.height'
        ) }} as bbox,
        cast(1 as double) as confidence,
        (openimages_boxes.x_max - openimages_boxes.x_min)
        * (openimages_boxes.y_max - openimages_boxes.y_min) as area_fraction,
        cast(null as double) as mask_fraction,
        openimages_boxes.is_group_of as is_crowd
    from openimages_boxes
    inner join {{ ref('images__openimages_images') }} as openimages_images
        on openimages_boxes.openimages_id = openimages_images.openimages_id
    inner join files on openimages_images.image_id = files.source_image_id
    left join labelled_classes on openimages_boxes.label_name = labelled_classes.label_name
    left join supercategories on labelled_classes.label = supercategories.category
    where
        openimages_boxes.x_max > openimages_boxes.x_min
        and openimages_boxes.y_max > openimages_boxes.y_min
),

seen_objects as (
    select files.source_image_id, {{ unnest_list('findings.objects') }} as object
    from files
    inner join {{ ref('reality_check__annotator_results') }} as findings
        on files.sha256 = findings.image_sha256
),

detected_objects as (
    select
        source_image_id,
        source_image_id || '-detected-' || cast(row_number() over (
            partition by source_image_id
            order by object.confidence desc, object asc
        ) as string) as object_id,
        object.label as label,
        cast(null as string) as supercategory,
        'detector:' || {{ regexp_extract(text_literal(var('detector')), '[^/]*$') }}
            as truth_source,
        object.bbox as bbox,
        object.confidence as confidence,
        object.area_fraction as area_fraction,
        cast(null as double) as mask_fraction, false as is_crowd
    from seen_objects
)

select * from annotated_objects
union all
select * from boxed_objects
union all
select * from detected_objects
where confidence > {{ var('detector_confidence') }}
