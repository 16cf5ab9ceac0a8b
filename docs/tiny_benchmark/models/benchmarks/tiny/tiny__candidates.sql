with
placed_images as (
    select *, row_number() over (order by source_image_id) as place
    from {{ ref('images__source_images') }}
)

select
    'tiny-' || cast(claims.claim_id as string) as candidate_id,
    placed_images.source_image_id,
    placed_images.image_id,
    placed_images.file_name as image_file,
    claims.question,
    claims.answer
from {{ ref('tiny_claims') }} as claims
left join placed_images using (place)
