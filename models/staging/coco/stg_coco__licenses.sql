select
    id as license_id,
    _source_file as source_file,
    name as license_name,
    url as license_url,
    _position as file_position
from {{ source('raw', 'coco_licenses') }}
