with
read_images as (
    select
        images.image_id,
        coalesce(measurements.scene, 'unknown') as scene,
        files.perceptual_hash, place_names.names,
        coalesce(measurements.labels, {{ empty_list('string') }}) as labels,
        annotations.has_text,
        coalesce(annotations.is_location_relevant, false) as is_location_relevant,
        place_names.tallest_location_height / files.height as text_height,
        places_and_times.latitude, places_and_times.longitude
    from {{ ref('reality_check__images') }} as images
    inner join {{ ref('images__files') }} as files on images.image_id = files.source_image_id
    left join {{ ref('images__annotations') }} as annotations
        on images.image_id = annotations.source_image_id
    left join {{ ref('reality_check__measurements') }} as measurements
        on images.image_id = measurements.image_id
    left join {{ ref('reality_check__place_names') }} as place_names
        on images.image_id = place_names.image_id
    left join {{ ref('reality_check__places_and_times') }} as places_and_times
        on images.image_id = places_and_times.source_image_id
),

findings as (
    select
        'text_in_image::' || image_id as candidate_id,
        'text_in_image' as bias_type, image_id, scene, perceptual_hash,
        cast(null as string) as difficulty, names, labels,
        coalesce(names, {{ empty_list('string') }}) as evidence_words,
        {{ json_object(
            latitude='latitude', longitude='longitude', names='names', scene='scene',
            text_height='text_height'
        ) }} as evidence,
        -- text was looked for
        has_text is not null as passes_annotation,
        'its text was not read' as annotation_detail,
        -- a word names a kind of place
        has_text is null or is_location_relevant as passes_text,
        -- another word names the place
        not is_location_relevant or coalesce({{ list_length('names') }}, 0) > 0 as passes_name,
        text_height, latitude, longitude
    from read_images
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_text_in_image', 'reality_check__text_in_image_findings'
    ) }} as is_possible
from findings
