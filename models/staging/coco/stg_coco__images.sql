select
    id as image_id,
    'coco-' || cast(id as string) as source_image_id,
    _source_file as source_file,
    file_name, coco_url, flickr_url,
    license as license_id,
    width,
    height,
    _position as file_position
from {{ source('raw', 'coco_images') }}
