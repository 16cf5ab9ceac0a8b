with
places_and_times as (select * from {{ ref('reality_check__places_and_times') }}),

placed_images as (
    select
        images.image_id,
        coalesce(scenes.scene, 'unknown') as scene,
        day_parts.time_of_day, places_and_times.time_source, annotations.construction_score,
        cast(places_and_times.taken_at as string) as taken_at_text,
        places_and_times.taken_at,
        floor(places_and_times.latitude / {{ rc_threshold('day_cell_degrees') }})
            as day_cell_north,
        floor(places_and_times.longitude / {{ rc_threshold('day_cell_degrees') }})
            as day_cell_east,
        floor(places_and_times.latitude / {{ rc_threshold('place_cell_degrees') }})
            as place_cell_north,
        floor(places_and_times.longitude / {{ rc_threshold('place_cell_degrees') }})
            as place_cell_east,
        places_and_times.taken_at is not null
        and places_and_times.latitude is not null
        and places_and_times.longitude is not null as has_time_and_place
    from {{ ref('reality_check__images') }} as images
    left join places_and_times on images.image_id = places_and_times.source_image_id
    left join {{ ref('images__annotations') }} as annotations
        on images.image_id = annotations.source_image_id
    left join {{ ref('reality_check__scenes') }} as scenes
        on images.image_id = scenes.source_image_id
    left join
        {{ vocabulary('reality_check', 'day_parts', word='hour_of_day', value='time_of_day') }}
            as day_parts
        on cast(extract(hour from places_and_times.taken_at) as string) = day_parts.hour_of_day
),

findings as (
    select
        'temporal_reasoning::' || image_id as candidate_id,
        'temporal_reasoning' as bias_type, image_id, scene, time_of_day, time_source,
        cast(null as string) as difficulty,
        {{ list_value('scene', 'time_of_day') }} as evidence_words,
        {{ json_object(
            construction_score='construction_score', scene='scene',
            taken_at='taken_at_text', time_source='time_source'
        ) }} as evidence,
        has_time_and_place as passes_time,
        -- night stands at both ends of a day
        coalesce(time_of_day <> 'night', true) as passes_daylight,
        -- two unknown scenes are not one
        scene <> 'unknown' as passes_scene,
        construction_score,
        cast(day_cell_north as bigint) as day_cell_north,
        cast(day_cell_east as bigint) as day_cell_east,
        cast(place_cell_north as bigint) as place_cell_north,
        cast(place_cell_east as bigint) as place_cell_east,
        taken_at
    from placed_images
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_temporal_reasoning', 'reality_check__temporal_reasoning_findings'
    ) }} as is_possible
from findings
