with
pictures as (
    select {{ spread_over_tasks() }} * from {{ ref('reality_check__contents') }}
    where {{ var('annotate_shadow') }}
),

findings as (
    select
        sha256 as image_sha256,
        gs_shadow(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
        ) as finding
    from pictures
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
