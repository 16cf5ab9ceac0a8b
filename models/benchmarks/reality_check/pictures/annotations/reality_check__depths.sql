with
pictures as (
    select * from {{ ref('reality_check__contents') }}
    where {{ text_literal(var('depth_network')) }} <> ''
),

findings as (
    {{ look_at('pictures', 'gs_depth', text_literal(var('depth_network'))) }}
)

select
    image_sha256,
    finding.error as error,
    finding.left as depth_left,
    finding.right as depth_right,
    finding.top as depth_top,
    finding.bottom as depth_bottom
from findings
