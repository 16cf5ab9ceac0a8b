-- its name and schema are older than its folder, and people's scripts use them
{{ config(schema='images', access='protected') }}
with
files as (select * from {{ ref('images__files') }}),
places_and_times as (select * from {{ ref('reality_check__places_and_times') }}),
findings as (select * from {{ ref('reality_check__annotator_results') }}),

instance_boxes as (
    select
        files.source_image_id, instances.place, instances.label, instances.bbox,
        {{ list_extract('instances.bbox', 3) }} as box_width,
        {{ list_extract('instances.bbox', 4) }} as box_height,
        instances.confidence,
        box_width * box_height / (files.width * files.height) as area_fraction
    from files
    inner join {{ ref('reality_check__outlined_objects') }} as instances using (source_image_id)
    where {{ text_literal(var('detector')) }} = ''
),

-- without a detector, COCO's own instances stand in for one that is always sure
annotated_objects as (
    select
        source_image_id,
        place as position,
        {{ struct_pack(
            label='label', bbox='bbox', confidence='confidence', area_fraction='area_fraction'
        ) }} as object
    from instance_boxes
),

seen_objects as (
    select files.source_image_id, {{ unnest_list('findings.objects') }} as object
    from files
    inner join findings on files.sha256 = findings.image_sha256
),

-- the most confident first
confident_objects as (
    select
        source_image_id,
        row_number() over (
            partition by source_image_id
            order by object.confidence desc, object asc
        ) as position,
        object
    from seen_objects
    where object.confidence > {{ var('detector_confidence') }}
),

found_objects as (
    select * from annotated_objects
    union all
    select * from confident_objects
),

objects as (
    select
        found_objects.source_image_id,
        {{ array_agg('found_objects.object', order_by='found_objects.position') }} as objects,
        avg(cast(case when construction_labels.label is null then 0 else 1 end as double))
            as construction_score
    from found_objects
    left join {{ vocabulary('reality_check', 'construction_labels', word='label') }}
        as construction_labels
        on found_objects.object.label = construction_labels.label
    group by found_objects.source_image_id
),

sun_positions as (
    select
        source_image_id,
        image_sha256 as sha256,
        heading, heading_source, heading_kind,
        gs_sun(
            clock, utc_offset_minutes, gps_utc, latitude, longitude,
            {{ text_literal(var('sun_method')) }}
        ) as sun
    from places_and_times
),

expected_shadows as (
    select
        source_image_id, sha256, heading, heading_source, heading_kind,
        -- in the picture, 0 is away from the camera; who does not know where it looked knows none
        sun.shadow_azimuth - heading
        - 360 * floor((sun.shadow_azimuth - heading) / 360)
            as shadow_angle_in_picture,
        sun.utc as taken_at_utc,
        sun.time_basis as time_basis,
        sun.sun_azimuth as sun_azimuth,
        sun.sun_elevation as sun_elevation,
        sun.shadow_azimuth as shadow_azimuth,
        sun.shadow_angle_expected as shadow_angle_expected
    from sun_positions
),

-- without a time and a place no shadow is expected, and nothing is compared
shadow_pairs as (
    select
        expected_shadows.*,
        findings.shadow_error,
        case
            when expected_shadows.taken_at_utc is not null then findings.shadow_angle_detected
        end as shadow_angle_detected
    from expected_shadows
    left join findings on expected_shadows.sha256 = findings.image_sha256
),

-- a shadow is known by its axis alone: angles that differ by 180 degrees are alike
shadows as (
    select
        *,
        abs(shadow_angle_detected - shadow_angle_in_picture) as angle_difference,
        90 - abs(90 - (angle_difference - 180 * floor(angle_difference / 180))) as angle_delta
    from shadow_pairs
),

words as (
    select image_sha256, {{ unnest_list('words') }} as word from findings
),

confident_words as (
    select image_sha256, word, {{ lower_text('word.text') }} as token
    from words
    where
        word.confidence > {{ rc_threshold('ocr_confidence') }}
        and length(word.text) > {{ rc_threshold('ocr_short_word') }}
),

texts as (
    select
        confident_words.image_sha256,
        {{ array_agg('confident_words.word', order_by='confident_words.word') }} as text_blocks,
        count(location_words.word) > 0 as is_location_relevant
    from confident_words
    left join {{ vocabulary('reality_check', 'location_words') }} as location_words
        on {{ regexp_extract('confident_words.token', '[a-z0-9]+') }} = location_words.word
    group by confident_words.image_sha256
),

clocks as (
    select
        source_image_id, taken_at,
        cast(extract(hour from taken_at) as string) as hour_taken,
        extract(month from taken_at) as month_taken,
        -- south of the equator the seasons are shifted by half a year
        case when latitude < 0 then 6 else 0 end as months_turned
    from places_and_times
    where taken_at is not null
),

moments as (
    select clocks.source_image_id, clocks.taken_at, day_parts.time_of_day, seasons.season
    from clocks
    inner join
        {{ vocabulary('reality_check', 'day_parts', word='hour_taken', value='time_of_day') }}
            as day_parts
        on clocks.hour_taken = day_parts.hour_taken
    inner join {{ vocabulary('reality_check', 'seasons', word='month_of_year', value='season') }}
        as seasons
        on
            cast((clocks.month_taken + clocks.months_turned - 1) % 12 + 1 as string)
            = seasons.month_of_year
)

select
    files.source_image_id,
    files.sha256 as image_sha256,
    objects.objects,
    -- a picture that was read and has no word that counts has an empty list
    coalesce(texts.text_blocks, {{ list_filter('findings.words', 'word', 'false') }})
        as text_blocks,
    moments.time_of_day, moments.season, shadows.taken_at_utc, shadows.time_basis,
    shadows.heading_source, shadows.heading_kind,
    findings.detection_error as objects_error,
    findings.depth_error,
    shadows.shadow_error,
    findings.texture_error,
    findings.text_error as ocr_error,
    findings.depth_left, findings.depth_right, findings.depth_top, findings.depth_bottom,
    shadows.sun_azimuth, shadows.sun_elevation, shadows.shadow_azimuth,
    shadows.shadow_angle_expected, shadows.heading, shadows.shadow_angle_in_picture,
    shadows.shadow_angle_detected, shadows.angle_delta, findings.edge_density,
    findings.dominant_texture_frequency, objects.construction_score,
    shadows.angle_delta < {{ rc_threshold('shadow_tolerance') }} as is_physically_plausible,
    shadows.taken_at_utc is null as is_skippable,
    -- nothing is known of a picture that was not read
    case when findings.words is not null then texts.text_blocks is not null end as has_text,
    case when findings.words is not null then coalesce(texts.is_location_relevant, false) end
        as is_location_relevant,
    findings.is_silhouette_extractable, moments.taken_at
from files
inner join shadows using (source_image_id)
left join objects using (source_image_id)
left join moments using (source_image_id)
left join findings on files.sha256 = findings.image_sha256
left join texts on files.sha256 = texts.image_sha256
