with
-- every file that lists an image names it once, by its 2014 or its 2017 name
mentions as (
    select
        *,
        row_number() over (
            partition by source_image_id
            order by file_name, source_file, file_position
        ) as mention
    from {{ ref('stg_coco__images') }}
)

select source_image_id, image_id, file_name, coco_url, flickr_url, license_id, width, height
from mentions
where mention = 1
