with
pictures as (
    select {{ spread_over_tasks() }} * from {{ ref('reality_check__contents') }}
    where {{ text_literal(var('detector')) }} <> ''
),

findings as (
    select
        sha256 as image_sha256,
        gs_objects(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            {{ text_literal(var('detector')) }}
        ) as finding
    from pictures
)

select image_sha256, finding.objects as objects, finding.error as error
from findings
