select
    custom_id,
    _source_file as source_file,
    body, error, status,
    _position as file_position,
    _landed_at as landed_at
from {{ source('raw', 'llm_responses') }}
