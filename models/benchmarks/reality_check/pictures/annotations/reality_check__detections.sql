with
pictures as (
    select * from {{ ref('reality_check__contents') }}
    where {{ text_literal(var('detector')) }} <> ''
),

findings as (
    {{ look_at('pictures', 'gs_objects', text_literal(var('detector'))) }}
)

select image_sha256, finding.objects as objects, finding.error as error
from findings
