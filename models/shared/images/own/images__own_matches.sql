with
-- of two images of one id the first counts
images as (
    select
        *,
        row_number() over (
            partition by source_file, image_key
            order by file_position
        ) as mention
    from {{ ref('stg_own__images') }}
)

select
    images.source_file, images.image_key, images.file_name, images.license_key, images.coco_url,
    images.flickr_url,
    case when images.mention = 1 then files.source_image_id end as source_image_id,
    case
        when images.mention > 1 then 'repeated_image_id'
        when matches.n_pictures > 1 then 'several_pictures'
        when files.source_image_id is null then 'no_picture'
    end as problem,
    images.file_position, images.width, images.height
from images
left join {{ ref('stg_own__matches') }} as matches using (source_file, file_position)
left join {{ ref('stg_images__files') }} as files on matches.path = files.path
