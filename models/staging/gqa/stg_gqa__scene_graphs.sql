select
    image_id as gqa_image_id,
    'gqa-' || image_id as source_image_id,
    _source_file as source_file,
    location, weather, objects, width, height,
    _position as file_position,
    -- by content before position, so that a shuffled file keeps the same record
    row_number() over (
        partition by image_id
        order by _source_sha256, _source_file, _position
    ) as occurrence
from {{ source('raw', 'gqa_scene_graphs') }}
