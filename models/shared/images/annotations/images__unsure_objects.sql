-- a view, because it has rows only where a detector is set
{{ config(materialized='view') }}

with

files as (

    select * from {{ ref('images__files') }}

),

detections as (

    select * from {{ ref('images__detections') }}

),

seen_objects as (

    select
        files.source_image_id,
        {{ unnest_list('detections.objects') }} as object
    from files
    inner join detections
        on files.sha256 = detections.image_sha256

),

final as (

    select
        source_image_id,
        {{ struct_extract('object', 'label') }} as label,
        {{ struct_extract('object', 'bbox') }} as bbox,
        {{ struct_extract('object', 'confidence') }} as confidence
    from seen_objects
    where
        {{ struct_extract('object', 'confidence') }} > {{ var('reality_check_unsure_confidence') }}
        and {{ struct_extract('object', 'confidence') }} <= {{ var('detector_confidence') }}

)

select * from final
