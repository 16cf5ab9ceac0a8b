select
    path,
    _source_file as source_file,
    caption, scene, taken_at, license, author, url, split_group,
    _position as file_position,
    latitude, longitude, heading
from {{ source('raw', 'own_pictures') }}
