with
pictures as (
    select {{ spread_over_tasks() }} * from {{ ref('reality_check__contents') }}
    where {{ var('annotate_texture') }}
),

findings as (
    select
        sha256 as image_sha256,
        gs_mirror_difference(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
        ) as finding
    from pictures
)

select
    image_sha256,
    finding.error as error,
    finding.horizontal as horizontal_difference,
    finding.vertical as vertical_difference
from findings
