select
    city,
    point,
    _source_file as source_file,
    location, status, pano_id,
    date as taken_in,
    copyright,
    _position as file_position,
    latitude,
    longitude
from {{ source('raw', 'streetview_panoramas') }}
