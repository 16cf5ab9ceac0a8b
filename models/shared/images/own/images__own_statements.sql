with
-- a picture may lie in two folders, each with a manifest: that of the file that is read counts
statements as (
    select
        files.source_image_id,
        pictures.*,
        row_number() over (
            partition by files.source_image_id
            order by
                case when read_files.path is null then 1 else 0 end,
                pictures.source_file, pictures.file_position, pictures.caption_position
        ) as mention
    from {{ ref('stg_own__pictures') }} as pictures
    inner join {{ ref('stg_images__files') }} as files using (path)
    left join {{ ref('images__files') }} as read_files on pictures.path = read_files.path
),

final as (
    select
        source_image_id,
        nullif(trim(caption), '') as caption,
        lower(trim(scene)) as scene,
        license, author, url, split_group,
        substr(taken_at, 1, 19) as clock,
        nullif(substr({{ regexp_extract('taken_at', '[+-][0-9]{2}:[0-9]{2}$') }}, 1, 6), '')
            as utc_offset,
        latitude, longitude, heading
    from statements
    where mention = 1
)

select
    source_image_id, caption, scene, license, author, url, split_group, clock,
    case
        when utc_offset is not null
            then
                cast(substr(utc_offset, 1, 1) || '1' as integer)
                * (
                    60 * cast(substr(utc_offset, 2, 2) as integer)
                    + cast(substr(utc_offset, 5, 2) as integer)
                )
    end as utc_offset_minutes,
    latitude, longitude, heading
from final
