select
    id as image_key,
    _source_file as source_file,
    file_name,
    license as license_key,
    coco_url,
    flickr_url,
    _position as file_position,
    width,
    height
from {{ source('raw', 'own_images') }}
