with
shadows as (
    select * from {{ ref('reality_check__shadows') }}
    where shadow_angle_detected is not null
),

shadowed_pictures as (
    select pictures.*
    from {{ ref('reality_check__contents') }} as pictures
    inner join shadows on pictures.sha256 = shadows.image_sha256
),

findings as (
    {{ look_at('shadowed_pictures', 'gs_shadow_region') }}
)

select
    image_sha256,
    finding.error as error,
    finding.rle as rle,
    finding.area as area,
    finding.ends as ends,
    finding.center as center,
    finding.angle as angle,
    finding.others as others
from findings
