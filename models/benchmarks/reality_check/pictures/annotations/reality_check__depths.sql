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
    {{ struct_extract('finding', 'error') }} as error,
    {{ struct_extract('finding', 'left') }} as depth_left,
    {{ struct_extract('finding', 'right') }} as depth_right,
    {{ struct_extract('finding', 'top') }} as depth_top,
    {{ struct_extract('finding', 'bottom') }} as depth_bottom
from findings
