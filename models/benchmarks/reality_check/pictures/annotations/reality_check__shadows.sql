with
pictures as (
    select * from {{ ref('reality_check__contents') }}
    where {{ var('annotate_shadow') }}
),

findings as (
    {{ look_at('pictures', 'gs_shadow') }}
),

regions as (
    select
        image_sha256,
        finding.error as error,
        finding.angle as angle,
        finding.area_share as shadow_area_share
    from findings
)

select
    image_sha256, error, shadow_area_share,
    case when shadow_area_share >= {{ var('shadow_area_share') }} then angle end
        as shadow_angle_detected
from regions
