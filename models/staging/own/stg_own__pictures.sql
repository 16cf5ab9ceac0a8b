select
    path,
    _source_file as source_file,
    caption, scene, taken_at, license, author, url, split_group,
    _position as file_position,
    -- a row may have several captions
    row_number() over (
        partition by _source_file, _position
        order by caption
    ) as caption_position,
    latitude, longitude, heading
from {{ source('raw', 'own_pictures') }}
