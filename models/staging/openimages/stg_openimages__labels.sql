select
    image_id as openimages_id,
    label_name,
    _source_file as source_file,
    source as label_source,
    _position as file_position,
    confidence
from {{ source('raw', 'openimages_labels') }}
