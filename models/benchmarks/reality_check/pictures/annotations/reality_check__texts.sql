with
pictures as (
    select {{ spread_over_tasks() }} * from {{ ref('reality_check__contents') }}
    where {{ var('annotate_ocr') }}
),

findings as (
    select
        sha256 as image_sha256,
        gs_texts(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
        ) as finding
    from pictures
)

select image_sha256, finding.words as words, finding.error as error
from findings
