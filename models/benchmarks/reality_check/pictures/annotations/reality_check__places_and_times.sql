with
-- the clock on the wall, as EXIF or the source has it: no time zone
clocks as (
    select
        files.source_image_id, files.sha256, files.exif_taken_at, files.gps_utc,
        files.exif_utc_offset_minutes, files.gps_latitude, files.gps_longitude, files.gps_direction,
        files.gps_direction_reference,
        statements.clock as stated_clock,
        statements.utc_offset_minutes as stated_offset_minutes,
        statements.latitude as stated_latitude,
        statements.longitude as stated_longitude,
        statements.heading as stated_heading,
        listed_images.heading as listed_heading,
        listed_images.source, listed_images.lat, listed_images.lon,
        replace({{ regexp_extract(
            "coalesce(listed_images.timestamp, '')",
            '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}'
        ) }}, ' ', 'T') as listed_clock
    from {{ ref('images__files') }} as files
    left join {{ ref('images__collected_images') }} as listed_images
        on files.source_image_id = listed_images.image_id
    left join {{ ref('images__own_statements') }} as statements using (source_image_id)
),

readable_clocks as (
    select
        *,
        stated_clock is not null as has_stated_time,
        stated_latitude is not null and stated_longitude is not null as has_stated_place,
        exif_taken_at is not null as has_exif_time,
        gps_latitude is not null and gps_longitude is not null as has_exif_place,
        lat is not null and lon is not null as has_listed_place,
        -- a date that the calendar does not have becomes null
        try_cast(nullif(listed_clock, '') as timestamp) as listed_taken_at
    from clocks
)

select
    source_image_id,
    sha256 as image_sha256,
    case
        when has_stated_time then stated_clock
        when has_exif_time then exif_taken_at
        when listed_taken_at is not null then listed_clock
    end as clock,
    case
        when has_stated_time then 'manifest'
        when has_exif_time then 'exif'
        when listed_taken_at is not null then source
    end as time_source,
    case
        when has_stated_place then 'manifest'
        when has_exif_place then 'exif'
        when has_listed_place then source
    end as place_source,
    case
        when stated_heading is not null then 'manifest'
        when gps_direction is not null then 'exif'
        when listed_heading is not null then source
        else 'none'
    end as heading_source,
    case
        when stated_heading is not null then 'stated'
        when gps_direction is not null
            then
                case gps_direction_reference
                    when 'T' then 'true' when 'M' then 'magnetic' else 'unknown'
                end
        when listed_heading is not null then 'true'
    end as heading_kind,
    -- the satellites' time is of EXIF's clock, not of a manifest's that says another
    case when not has_stated_time then gps_utc end as gps_utc,
    -- and so is EXIF's offset, and not of the source's
    case
        when has_stated_time then stated_offset_minutes
        when has_exif_time then exif_utc_offset_minutes
    end as utc_offset_minutes,
    case
        when has_stated_place then stated_latitude
        when has_exif_place then gps_latitude
        when has_listed_place then lat
    end as latitude,
    case
        when has_stated_place then stated_longitude
        when has_exif_place then gps_longitude
        when has_listed_place then lon
    end as longitude,
    -- degrees clockwise from north
    coalesce(stated_heading, gps_direction, listed_heading) as heading,
    case
        when has_stated_time then try_cast(stated_clock as timestamp)
        when has_exif_time then cast(exif_taken_at as timestamp)
        else listed_taken_at
    end as taken_at
from readable_clocks
