with
pictures as (select * from {{ ref('reality_check__contents') }}),

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
    case when shadow_area_share >= {{ rc_threshold('shadow_area') }} then angle end
        as shadow_angle_detected
from regions
