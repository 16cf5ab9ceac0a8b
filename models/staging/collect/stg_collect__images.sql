select
    image_id,
    source,
    _source_file as source_file,
    url, local_path, state, sha256, error, fetched_at, http_status, n_bytes, n_fetches,
    _position as file_position
from {{ source('raw', 'collected_images') }}
