with

files as (

    select * from {{ ref('images__files') }}

),

instances as (

    select * from {{ ref('images__instances') }}

),

-- ground truth stands for a detector that is always sure
annotated as (

    select
        files.source_image_id,
        instances.instance_id,
        {{ struct_pack(
            label='instances.category',
            bbox='instances.bbox',
            confidence='cast(1 as double)',
            area_fraction=(
                list_extract('instances.bbox', 3) ~ ' * ' ~ list_extract('instances.bbox', 4)
                ~ ' / (files.width * files.height)'
            )
        ) }} as object
    from files
    inner join instances
        on files.source_image_id = instances.source_image_id
    where '{{ var("detector") }}' = ''

),

seen as (

    select
        files.source_image_id,
        {{ unnest_list('detections.objects') }} as object
    from files
    inner join {{ ref('images__detections') }} as detections
        on files.sha256 = detections.image_sha256

),

sure as (

    select
        source_image_id,
        row_number() over (
            partition by source_image_id
            order by {{ struct_extract('object', 'confidence') }} desc, object
        ) as position,
        object
    from seen
    where {{ struct_extract('object', 'confidence') }} > {{ var('detector_confidence') }}

),

found_objects as (

    select
        source_image_id,
        instance_id as position,
        object
    from annotated

    union all

    select
        source_image_id,
        position,
        object
    from sure

),

objects as (

    select
        found_objects.source_image_id,
        {{ array_agg('found_objects.object', order_by='found_objects.position') }} as objects,
        avg(case when construction_labels.label is null then 0.0 else 1.0 end)
            as construction_score
    from found_objects
    left join {{ ref('construction_labels') }} as construction_labels
        on {{ struct_extract('found_objects.object', 'label') }} = construction_labels.label
    group by found_objects.source_image_id

),

located as (

    select
        *,
        gs_sun(
            exif_taken_at, exif_utc_offset_minutes, gps_utc, gps_latitude, gps_longitude,
            '{{ var("sun_method") }}'
        ) as sun
    from files

),

shadows as (

    select
        located.source_image_id,
        {{ struct_extract('located.sun', 'utc') }} as taken_at_utc,
        {{ struct_extract('located.sun', 'time_basis') }} as time_basis,
        {{ struct_extract('located.sun', 'sun_azimuth') }} as sun_azimuth,
        {{ struct_extract('located.sun', 'sun_elevation') }} as sun_elevation,
        {{ struct_extract('located.sun', 'shadow_azimuth') }} as shadow_azimuth,
        {{ struct_extract('located.sun', 'shadow_angle_expected') }} as shadow_angle_expected,
        case
            when {{ struct_extract('located.sun', 'utc') }} is not null then found.shadow_angle_detected
        end as shadow_angle_detected,
        found.error as shadow_error
    from located
    left join {{ ref('images__shadows') }} as found
        on located.sha256 = found.image_sha256

),

-- the axis of a shadow has no head: angles that differ by 180 degrees are alike
compared as (

    select
        *,
        90 - abs(
            90 - (
                abs(shadow_angle_detected - shadow_angle_expected)
                - 180 * floor(abs(shadow_angle_detected - shadow_angle_expected) / 180)
            )
        ) as angle_delta
    from shadows

),

words as (

    select
        image_sha256,
        {{ unnest_list('words') }} as word
    from {{ ref('images__texts') }}

),

sure_words as (

    select
        image_sha256,
        word,
        {{ lower_text(struct_extract('word', 'text')) }} as token
    from words
    where
        {{ struct_extract('word', 'confidence') }} > {{ var('ocr_confidence') }}
        and length({{ struct_extract('word', 'text') }}) > {{ var('ocr_short_word_length') }}

),

location_words as (

    select * from {{ ref('location_words') }}

),

texts as (

    select
        sure_words.image_sha256,
        {{ array_agg('sure_words.word', order_by='sure_words.word') }} as text_blocks,
        count(location_words.word) > 0 as is_location_relevant
    from sure_words
    left join location_words
        on {{ regexp_extract('sure_words.token', '[a-z0-9]+') }} = location_words.word
    group by sure_words.image_sha256

),

clocks as (

    select
        source_image_id,
        cast(exif_taken_at as timestamp) as taken_at,
        extract(hour from cast(exif_taken_at as timestamp)) as hour_taken,
        extract(month from cast(exif_taken_at as timestamp)) as month_taken,
        -- south of the equator the seasons are turned by half a year
        case when gps_latitude < 0 then 6 else 0 end as months_turned
    from files
    where exif_taken_at is not null

),

moments as (

    select
        clocks.source_image_id,
        clocks.taken_at,
        day_parts.time_of_day,
        seasons.season
    from clocks
    inner join {{ ref('day_parts') }} as day_parts
        on clocks.hour_taken = day_parts.hour_of_day
    inner join {{ ref('seasons') }} as seasons
        on ((clocks.month_taken + clocks.months_turned - 1) % 12) + 1 = seasons.month_of_year

),

final as (

    select
        files.source_image_id,
        files.sha256 as image_sha256,
        objects.objects,
        coalesce(texts.text_blocks, {{ list_filter('read_texts.words', 'word', 'false') }})
            as text_blocks,
        moments.time_of_day,
        moments.season,
        compared.taken_at_utc,
        compared.time_basis,
        detections.error as objects_error,
        depths.error as depth_error,
        compared.shadow_error,
        textures.error as texture_error,
        read_texts.error as ocr_error,
        depths.depth_left,
        depths.depth_right,
        depths.depth_top,
        depths.depth_bottom,
        compared.sun_azimuth,
        compared.sun_elevation,
        compared.shadow_azimuth,
        compared.shadow_angle_expected,
        compared.shadow_angle_detected,
        compared.angle_delta,
        textures.edge_density,
        textures.dominant_texture_frequency,
        objects.construction_score,
        compared.angle_delta < {{ var('shadow_tolerance_degrees') }} as is_physically_plausible,
        compared.taken_at_utc is null as is_skippable,
        case
            when read_texts.image_sha256 is not null and read_texts.error is null
                then texts.text_blocks is not null
        end as has_text,
        case
            when read_texts.image_sha256 is not null and read_texts.error is null
                then coalesce(texts.is_location_relevant, false)
        end as is_location_relevant,
        textures.is_silhouette_extractable,
        moments.taken_at
    from files
    inner join compared
        on files.source_image_id = compared.source_image_id
    left join objects
        on files.source_image_id = objects.source_image_id
    left join moments
        on files.source_image_id = moments.source_image_id
    left join {{ ref('images__detections') }} as detections
        on files.sha256 = detections.image_sha256
    left join {{ ref('images__depths') }} as depths
        on files.sha256 = depths.image_sha256
    left join {{ ref('images__textures') }} as textures
        on files.sha256 = textures.image_sha256
    left join {{ ref('images__texts') }} as read_texts
        on files.sha256 = read_texts.image_sha256
    left join texts
        on files.sha256 = texts.image_sha256

)

select * from final
