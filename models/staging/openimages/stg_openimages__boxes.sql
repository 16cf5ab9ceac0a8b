select
    image_id as openimages_id,
    label_name,
    _source_file as source_file,
    source as box_source,
    _position as file_position,
    x_min, x_max, y_min, y_max, confidence,
    is_occluded = 1 as is_occluded,
    is_truncated = 1 as is_truncated,
    is_group_of = 1 as is_group_of,
    is_depiction = 1 as is_depiction,
    is_inside = 1 as is_inside
from {{ source('raw', 'openimages_boxes') }}
