select
    source,
    query,
    _source_file as source_file,
    cursor,
    n_listed,
    _position as file_position,
    is_complete
from {{ source('raw', 'collection_cursors') }}
