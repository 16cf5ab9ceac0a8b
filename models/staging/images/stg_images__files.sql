with
files as (
    select
        *,
        substr(path, length(folder) + 2) as place_in_folder,
        -- a file without bytes is known by where it lies
        coalesce(sha256, md5(path)) as content_key,
        {{ regexp_matches('path', '(train|val|test)20[0-9]{2}([.]zip)?[/!][^/!]+$') }}
            as is_in_folder_of_coco
    from {{ source('raw', 'image_files') }}
),

-- the pictures of COCO that landed files of a data set name; COCO's own files give their sizes
mentions_of_coco as (
    select id as image_id, width, height from {{ source('raw', 'coco_images') }}
    union all
    select image_id, null as width, null as height from {{ source('raw', 'vqa_questions') }}
    union all
    select image_id, null as width, null as height from {{ source('raw', 'clash_samples') }}
    union all
    select {{ coco_id_of_question() }} as image_id, null as width, null as height
    from {{ source('raw', 'question_set_questions') }}
),

coco_images as (
    select
        image_id,
        max(width) as coco_width,
        max(height) as coco_height
    from mentions_of_coco
    group by image_id
),

listed_files as (
    select
        files.*, coco_images.coco_width, coco_images.coco_height,
        coco_images.image_id is not null as is_listed
    from files
    left join coco_images on files.image_id = coco_images.image_id
),

-- a picture may be scaled or turned; an unreadable one has no shape
shaped_files as (
    select
        *,
        coalesce(width = coco_width and height = coco_height, false) as is_of_cocos_size,
        coalesce(
            abs(width * coco_height - height * coco_width) <= coco_width + coco_height
            or abs(width * coco_width - height * coco_height) <= coco_width + coco_height,
            true
        ) as is_of_cocos_shape
    from listed_files
),

-- of several pictures that may be COCO's one of its size goes before scaled ones, and then what
-- lies in a folder that is called as COCO's are
ranked_files as (
    select
        *,
        rank() over (
            partition by image_id, is_listed and is_of_cocos_shape and error_kind is null
            order by
                case when is_of_cocos_size then 0 else 1 end,
                case when is_in_folder_of_coco then 0 else 1 end
        ) as coco_rank
    from shaped_files
),

compared_files as (
    select
        *,
        min(case when coco_rank = 1 then perceptual_hash end) over (
            partition by image_id, is_listed and is_of_cocos_shape and error_kind is null
        ) as first_hash,
        max(case when coco_rank = 1 then perceptual_hash end) over (
            partition by image_id, is_listed and is_of_cocos_shape and error_kind is null
        ) as last_hash
    from ranked_files
),

-- a name alone makes no picture COCO's
judged_files as (
    select
        *,
        case
            when image_id is null then null
            when not is_listed then 'not_listed'
            when not is_of_cocos_shape then 'other_shape'
            when error_kind is not null then null
            when first_hash <> last_hash then 'several_pictures'
            when perceptual_hash <> first_hash then 'other_picture'
        end as not_cocos_because
    from compared_files
),

-- COCO's pictures and collected ones are named by their ids, others by their places in the folder
-- that was landed
named_files as (
    select
        *,
        case
            when image_id is not null and not_cocos_because is null
                then 'coco-' || cast(image_id as string)
            when
                {{ regexp_matches(
                    'file_name',
                    '^(wikimedia|openimages|streetview|yfcc)_[0-9a-f]{12}[.][a-zA-Z]+$'
                ) }}
                then {{ regexp_replace('file_name', '[.][a-zA-Z]+$', '') }}
        end as given_id
    from judged_files
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
    case when not_cocos_because is null then image_id end as image_id,
    not_cocos_because, folder, archive, place_in_folder, file_name, format, mode, sha256,
    perceptual_hash, exif_taken_at, gps_utc, gps_direction_reference, exif_error, error_kind, error,
    n_bytes, width, height, n_frames, exif_orientation, exif_utc_offset_minutes, gps_latitude,
    gps_longitude, gps_direction,
    _landed_at as landed_at
from namesakes
