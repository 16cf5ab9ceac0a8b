-- a view, because its readers want the objects of few images
{{ config(materialized='view') }}

with

files as (

    select * from {{ ref('images__files') }}

),

instances as (

    select * from {{ ref('images__instances') }}
    where {{ text_literal(var('detector')) }} = ''

),

detections as (

    select * from {{ ref('images__detections') }}

),

annotated_objects as (

    select
        instances.source_image_id,
        'coco-' || cast(instances.instance_id as {{ dbt.type_string() }}) as object_id,
        instances.category as label,
        instances.supercategory,
        'coco_instances' as truth_source,
        instances.bbox,
        cast(1 as double) as confidence,
        {{ list_extract('instances.bbox', 3) }} * {{ list_extract('instances.bbox', 4) }}
        / (files.width * files.height) as area_fraction,
        instances.area / (files.width * files.height) as mask_fraction,
        instances.is_crowd
    from instances
    inner join files
        on instances.source_image_id = files.source_image_id

),

seen_objects as (

    select
        files.source_image_id,
        {{ unnest_list('detections.objects') }} as object
    from files
    inner join detections
        on files.sha256 = detections.image_sha256

),

detected_objects as (

    select
        source_image_id,
        source_image_id || '-detected-' || cast(row_number() over (
            partition by source_image_id
            order by {{ struct_extract('object', 'confidence') }} desc, object
        ) as {{ dbt.type_string() }}) as object_id,
        {{ struct_extract('object', 'label') }} as label,
        cast(null as {{ dbt.type_string() }}) as supercategory,
        'detector:' || {{ regexp_extract(text_literal(var('detector')), '[^/]*$') }}
            as truth_source,
        {{ struct_extract('object', 'bbox') }} as bbox,
        {{ struct_extract('object', 'confidence') }} as confidence,
        {{ struct_extract('object', 'area_fraction') }} as area_fraction,
        cast(null as double) as mask_fraction,
        false as is_crowd
    from seen_objects

),

final as (

    select
        source_image_id,
        object_id,
        label,
        supercategory,
        truth_source,
        bbox,
        confidence,
        area_fraction,
        mask_fraction,
        is_crowd
    from annotated_objects

    union all

    select
        source_image_id,
        object_id,
        label,
        supercategory,
        truth_source,
        bbox,
        confidence,
        area_fraction,
        mask_fraction,
        is_crowd
    from detected_objects
    where confidence > {{ var('detector_confidence') }}

)

select * from final
