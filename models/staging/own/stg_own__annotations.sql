select
    image_id as image_key,
    category_id as category_key,
    _source_file as source_file,
    caption, bbox, segmentation_polygons, segmentation_rle_counts, segmentation_rle_string,
    segmentation_rle_size,
    _position as file_position,
    area,
    score,
    coalesce(iscrowd, false) as is_crowd
from {{ source('raw', 'own_annotations') }}
