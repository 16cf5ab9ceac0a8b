with
pictures as (select * from {{ ref('reality_check__contents') }}),

findings as (
    {{ look_at('pictures', 'gs_mirror_difference') }}
)

select
    image_sha256,
    finding.error as error,
    finding.horizontal as horizontal_difference,
    finding.vertical as vertical_difference
from findings
