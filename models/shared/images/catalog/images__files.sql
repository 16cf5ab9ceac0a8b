with
readable_files as (
    select
        *,
        min(file_name) over (partition by source_image_id, sha256) as first_name
    from {{ ref('stg_images__files') }}
    where error_kind is null
),

-- an image may lie in a folder and in an archive, by its 2014 or by its 2017 name. Of files of one
-- content the last that was landed is read: an earlier folder may be gone
ordered_files as (
    select
        *,
        row_number() over (
            partition by source_image_id
            order by first_name asc, sha256 asc, landed_at desc, path asc
        ) as occurrence
    from readable_files
)

select
    source_image_id, path, image_id, archive, file_name, format, mode, sha256, perceptual_hash,
    exif_taken_at, gps_utc, gps_direction_reference, exif_error, n_bytes, width, height, n_frames,
    exif_orientation, exif_utc_offset_minutes, gps_latitude, gps_longitude, gps_direction
from ordered_files
where occurrence = 1
