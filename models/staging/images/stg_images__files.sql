with
files as (
    select
        *,
        substr(path, length(folder) + 2) as place_in_folder,
        -- a file without bytes is known by where it lies
        coalesce(sha256, md5(path)) as content_key
    from {{ source('raw', 'image_files') }}
),

-- COCO's pictures and collected ones are named by their ids, others by their places in the folder
-- that was landed
named_files as (
    select
        *,
        case
            when image_id is not null then 'coco-' || cast(image_id as string)
            when
                {{ regexp_matches(
                    'file_name',
                    '^(wikimedia|openimages|streetview|yfcc)_[0-9a-f]{12}[.][a-zA-Z]+$'
                ) }}
                then {{ regexp_replace('file_name', '[.][a-zA-Z]+$', '') }}
        end as given_id
    from files
),

-- two folders that were landed may each have a picture at the same place
namesakes as (
    select
        *,
        first_value(content_key) over (
            partition by given_id, place_in_folder
            order by case when error_kind is null then 0 else 1 end, path
            rows between unbounded preceding and unbounded following
        ) as first_content_key
    from named_files
)

select
    path,
    case
        when given_id is not null then given_id
        when content_key = first_content_key then 'file-' || place_in_folder
        else 'file-' || place_in_folder || '~' || substr(content_key, 1, 8)
    end as source_image_id,
    image_id, folder, archive, place_in_folder, file_name, format, mode, sha256, perceptual_hash,
    exif_taken_at, gps_utc, gps_direction_reference, exif_error, error_kind, error, n_bytes, width,
    height, n_frames, exif_orientation, exif_utc_offset_minutes, gps_latitude, gps_longitude,
    gps_direction,
    _landed_at as landed_at
from namesakes
