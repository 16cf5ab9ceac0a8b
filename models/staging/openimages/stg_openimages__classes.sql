select label_name, _source_file as source_file, display_name, _position as file_position
from {{ source('raw', 'openimages_classes') }}
