-- by content before position, so that a shuffled file keeps the same record
select
    example_id,
    'docci-' || example_id as source_image_id,
    _source_file as source_file,
    image_file,
    description,
    split as docci_split,
    _position as file_position,
    row_number() over (
        partition by example_id
        order by description, image_file, _source_file, _position
    ) as occurrence
from {{ source('raw', 'docci_descriptions') }}
