select
    id as license_key,
    _source_file as source_file,
    name as license_name,
    url as license_url,
    _position as file_position
from {{ source('raw', 'own_licenses') }}
