with
pictures as (
    select * from {{ ref('reality_check__contents') }}
    where {{ var('annotate_ocr') }}
),

findings as (
    {{ look_at('pictures', 'gs_texts') }}
)

select image_sha256, finding.words as words, finding.error as error
from findings
