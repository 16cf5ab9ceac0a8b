select
    pageid as page_id,
    _source_file as source_file,
    title,
    url,
    thumburl as thumbnail_url,
    mime,
    sha1,
    timestamp as uploaded_at,
    user_name,
    descriptionurl as description_url,
    extmetadata as extended_metadata,
    {{ json_extract_string('extmetadata', '$.License.value') }} as license_code,
    {{ json_extract_string('extmetadata', '$.LicenseShortName.value') }} as license_name,
    {{ json_extract_string('extmetadata', '$.LicenseUrl.value') }} as license_url,
    {{ json_extract_string('extmetadata', '$.UsageTerms.value') }} as usage_terms,
    {{ json_extract_string('extmetadata', '$.Artist.value') }} as artist_html,
    {{ json_extract_string('extmetadata', '$.Credit.value') }} as credit_html,
    {{ json_extract_string('extmetadata', '$.ImageDescription.value') }} as description_html,
    {{ json_extract_string('extmetadata', '$.DateTimeOriginal.value') }} as date_time_original,
    {{ json_extract_string('extmetadata', '$.Categories.value') }} as categories,
    {{ json_extract_string('extmetadata', '$.Restrictions.value') }} as restrictions,
    query as topic,
    cursor, width, height,
    size as n_bytes,
    _position as file_position,
    try_cast(
        {{ json_extract_string('extmetadata', '$.GPSLatitude.value') }} as double
    ) as gps_latitude,
    try_cast(
        {{ json_extract_string('extmetadata', '$.GPSLongitude.value') }} as double
    ) as gps_longitude
from {{ source('raw', 'wikimedia_pages') }}
