-- a random box has no mask; the Conflict Suite publishes its recipe
select
    example_id as recipe_id,
    source_image_id,
    operator as family,
    example_id as seed_key,
    rle,
    cast(null as string) as parameters,
    severity,
    cast(null as double) as area_fraction
from {{ ref('occlusions__screened') }}
where is_retained and rle is not null
