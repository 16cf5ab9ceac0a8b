select
    path, found_by,
    _source_file as source_file,
    _position as file_position,
    n_pictures
from {{ source('raw', 'own_matches') }}
