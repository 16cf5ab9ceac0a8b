select
    recipe_id,
    source_image_id,
    operator as family,
    recipe_id as seed_key,
    cast(null as string) as rle,
    cast(null as string) as parameters,
    3 as severity,
    cast(null as double) as area_fraction
from {{ ref('tiny__examples') }}
where recipe_id is not null
