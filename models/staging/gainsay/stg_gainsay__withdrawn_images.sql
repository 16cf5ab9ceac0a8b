select source_image_id, reason, _landed_at as landed_at
from {{ source('raw', 'withdrawn_images') }}
