select
    id as instance_id,
    image_id,
    'coco-' || cast(image_id as string) as source_image_id,
    category_id,
    _source_file as source_file,
    bbox, segmentation_polygons, segmentation_rle_counts, segmentation_rle_string,
    segmentation_rle_size, area,
    iscrowd = 1 as is_crowd,
    _position as file_position
from {{ source('raw', 'coco_instances') }}
