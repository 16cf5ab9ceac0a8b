select
    _source_file as source_file,
    array_name, field, found, expected, record,
    _position as file_position,
    -- the record landed, without the value of this field
    expected like '%; left empty' as is_of_landed_record
from {{ source('raw', 'rejected_records') }}
