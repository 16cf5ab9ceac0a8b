with
pictures as (
    select * from {{ ref('reality_check__contents') }}
    where {{ text_literal(var('text_network')) }} <> ''
),

findings as (
    {{ look_at('pictures', 'gs_writing', text_literal(var('text_network'))) }}
)

select image_sha256, finding.lines as writing_lines, finding.error as error
from findings
