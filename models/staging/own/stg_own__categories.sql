select
    id as category_key,
    _source_file as source_file,
    name as category,
    supercategory,
    _position as file_position
from {{ source('raw', 'own_categories') }}
