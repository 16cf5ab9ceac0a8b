select
    _source_file as source_file,
    array_name, field, found, expected, record,
    _position as file_position
from {{ source('raw', 'rejected_records') }}
