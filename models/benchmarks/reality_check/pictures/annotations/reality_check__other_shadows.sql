with
regions as (
    select image_sha256, {{ unnest_list_with_position('others', 'region', 'place') }}
    from {{ ref('reality_check__shadow_regions') }}
)

select image_sha256, place, region.area as area, region.angle as angle
from regions
