with
listed_images as (
    select * from {{ ref('images__collected_images') }}
    where source in ({{ text_literals(var('reality_check_image_sources')) }})
),

failures as (
    {{ first_failures('reality_check', 'reality_check_images') }}
)

select
    listed_images.image_id as candidate_id,
    listed_images.image_id, listed_images.source, listed_images.url, listed_images.license,
    failures.drop_stage, failures.drop_reason, failures.drop_detail,
    failures.candidate_id is null as is_retained
from listed_images
left join failures on listed_images.image_id = failures.candidate_id
