with
variants as (
    select * from {{ ref('conflict_suite_refined__variants') }}
    where rle is not null
)

-- the recipe of an example has its id
select
    candidate_id as recipe_id,
    shown_image_id as source_image_id,
    vision_family as family,
    candidate_id as seed_key,
    rle,
    cast(null as string) as parameters,
    severity,
    cast(null as double) as area_fraction
from variants
