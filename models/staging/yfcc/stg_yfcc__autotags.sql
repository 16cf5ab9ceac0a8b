select photo_id, _source_file as source_file, autotags, _position as file_position
from {{ source('raw', 'yfcc_autotags') }}
