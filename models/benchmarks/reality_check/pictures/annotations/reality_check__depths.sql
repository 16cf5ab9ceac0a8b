with
pictures as (
    select {{ spread_over_tasks() }} * from {{ ref('reality_check__contents') }}
    where {{ text_literal(var('depth_network')) }} <> ''
),

findings as (
    select
        sha256 as image_sha256,
        gs_depth(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            {{ text_literal(var('depth_network')) }}
        ) as finding
    from pictures
)

select
    image_sha256,
    finding.error as error,
    finding.left as depth_left,
    finding.right as depth_right,
    finding.top as depth_top,
    finding.bottom as depth_bottom
from findings
