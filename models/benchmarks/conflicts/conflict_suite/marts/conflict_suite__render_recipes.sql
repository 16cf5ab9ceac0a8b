select
    example_id as recipe_id,
    source_image_id,
    vision_family as family,
    vision_seed_key as seed_key,
    cast(null as string) as rle,
    cast(null as string) as parameters,
    severity,
    vision_area_fraction as area_fraction
from {{ ref('conflict_suite__examples') }}
where vision_family is not null
