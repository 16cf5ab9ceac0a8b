select
    path,
    case
        when image_id is not null
            then 'coco-' || cast(image_id as {{ dbt.type_string() }})
        -- a collected picture is named by its id
        when
            {{ regexp_matches(
                'file_name',
                '^(wikimedia|openimages|streetview|yfcc)_[0-9a-f]{12}[.][a-zA-Z]+$'
            ) }}
            then {{ regexp_replace('file_name', '[.][a-zA-Z]+$', '') }}
        else 'file-' || file_name
    end as source_image_id,
    image_id,
    archive,
    file_name,
    format,
    mode,
    sha256,
    perceptual_hash,
    exif_taken_at,
    gps_utc,
    exif_error,
    error_kind,
    error,
    n_bytes,
    width,
    height,
    n_frames,
    exif_orientation,
    exif_utc_offset_minutes,
    gps_latitude,
    gps_longitude,
    _landed_at as landed_at
from {{ source('raw', 'image_files') }}
