with
photos as (
    select
        *,
        row_number() over (
            partition by download_url
            order by photo_id, source_file, file_position
        ) as mention
    from {{ ref('stg_yfcc__photos') }}
    where download_url is not null
),

autotags as (
    select photo_id, {{ min_by('autotags', 'source_file') }} as autotags
    from {{ ref('stg_yfcc__autotags') }}
    group by photo_id
),

-- a concept that the program did not see is not listed
scores as (
    select
        photo_id, autotags,
        try_cast(replace(
            {{ regexp_extract("',' || autotags", ',outdoor:[0-9.]+') }}, ',outdoor:', ''
        ) as double) as outdoor_confidence,
        try_cast(replace(
            {{ regexp_extract("',' || autotags", ',indoor:[0-9.]+') }}, ',indoor:', ''
        ) as double) as indoor_confidence
    from autotags
)

select
    'yfcc_' || substr(md5(photos.download_url), 1, 12) as image_id,
    photos.photo_id,
    photos.download_url as url,
    photos.page_url, photos.title, photos.description, photos.user_tags,
    photos.user_nickname as author,
    photos.capture_device as camera_model,
    photos.license_url as delivered_license,
    license_codes.license, license_codes.license_family, license_codes.license_url,
    photos.date_taken,
    case
        when
            try_cast(
                {{ regexp_replace('photos.date_taken', '[.][0-9]+$', '') }} as timestamp
            ) is not null
            then replace(
                {{ regexp_replace('photos.date_taken', '[.][0-9]+$', '') }}, ' ', 'T'
            )
    end as timestamp,
    scores.autotags, photos.accuracy, photos.marker,
    photos.latitude as lat,
    photos.longitude as lon,
    scores.outdoor_confidence, scores.indoor_confidence
from photos
left join scores using (photo_id)
left join {{ ref('license_codes') }} as license_codes
    on {{ license_key('photos.license_url') }} = license_codes.delivered
where photos.mention = 1
