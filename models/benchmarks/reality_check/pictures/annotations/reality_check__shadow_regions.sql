with
shadows as (
    select * from {{ ref('reality_check__shadows') }}
    where shadow_angle_detected is not null
),

shadowed_pictures as (
    select {{ spread_over_tasks() }} pictures.*
    from {{ ref('reality_check__contents') }} as pictures
    inner join shadows
        on pictures.sha256 = shadows.image_sha256
),

findings as (
    select
        sha256 as image_sha256,
        gs_shadow_region(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
        ) as finding
    from shadowed_pictures
)

select
    image_sha256,
    {{ struct_extract('finding', 'error') }} as error,
    {{ struct_extract('finding', 'rle') }} as rle,
    {{ struct_extract('finding', 'area') }} as area,
    {{ struct_extract('finding', 'ends') }} as ends,
    {{ struct_extract('finding', 'center') }} as center,
    {{ struct_extract('finding', 'angle') }} as angle,
    {{ struct_extract('finding', 'others') }} as others
from findings
