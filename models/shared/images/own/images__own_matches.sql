with
-- of two images of one id and one name the first counts; which of two names the annotations of
-- an id are of, nobody knows
images as (
    select
        *,
        row_number() over (
            partition by source_file, image_key
            order by file_position
        ) as mention,
        min(file_name) over (
            partition by source_file, image_key
        ) <> max(file_name) over (
            partition by source_file, image_key
        ) as is_id_of_several
    from {{ ref('stg_own__images') }}
)

select
    images.source_file, images.image_key, images.file_name, images.license_key, images.coco_url,
    images.flickr_url,
    case
        when images.mention = 1 and not coalesce(images.is_id_of_several, false)
            then files.source_image_id
    end as source_image_id,
    case
        when images.mention > 1 then 'repeated_image_id'
        when images.is_id_of_several then 'shared_image_id'
        when matches.n_pictures > 1 then 'several_pictures'
        when files.source_image_id is null then 'no_picture'
    end as problem,
    images.file_position, images.width, images.height
from images
left join {{ ref('stg_own__matches') }} as matches using (source_file, file_position)
left join {{ ref('stg_images__files') }} as files on matches.path = files.path
