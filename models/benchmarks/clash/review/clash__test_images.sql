with
images as (
    select
        source_image_id,
        max(case when origin = 'released' then 1 else 0 end) = 1 as is_released
    from {{ ref('clash__candidates') }}
    group by source_image_id
),

ranked_images as (
    select
        source_image_id,
        is_released,
        row_number() over (
            partition by is_released
            order by {{ seeded_order('clash_split', 'source_image_id') }}, source_image_id
        ) as place,
        count(*) over (partition by is_released) as n_images
    from images
)

-- a picture of the test set is never trained on; of the others a share is tested, too
select source_image_id
from ranked_images
where is_released or place <= floor({{ decimal_var('clash_test_share') }} * n_images)
