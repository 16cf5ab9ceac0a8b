with
pictures as (
    select {{ spread_over_tasks() }} * from {{ ref('reality_check__contents') }}
    where {{ text_literal(var('text_network')) }} <> ''
),

findings as (
    select
        sha256 as image_sha256,
        gs_writing(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            {{ text_literal(var('text_network')) }}
        ) as finding
    from pictures
)

select image_sha256, finding.lines as writing_lines, finding.error as error
from findings
