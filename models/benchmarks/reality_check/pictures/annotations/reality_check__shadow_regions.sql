with
shadows as (
    select * from {{ ref('reality_check__annotator_results') }}
    where shadow_angle_detected is not null
),

shadowed_pictures as (
    select pictures.*
    from {{ ref('reality_check__contents') }} as pictures
    inner join shadows on pictures.sha256 = shadows.image_sha256
),

findings as (
    select sha256 as image_sha256, {{ finding_of('gs_shadow_region') }} as finding
    from (select {{ spread_over_tasks() }} * from shadowed_pictures) as spread_pictures
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
