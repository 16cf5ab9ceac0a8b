with
images as (
    select source_image_id, max(case when origin = 'released' then 1 else 0 end) as released
    from {{ ref('clash__candidates') }}
    group by source_image_id
),

-- pictures that belong together by their manifest are in one split
grouped_images as (
    select
        images.*,
        coalesce('group-' || statements.split_group, images.source_image_id) as split_key
    from images
    left join {{ ref('images__own_statements') }} as statements using (source_image_id)
),

split_keys as (
    select split_key, max(released) = 1 as is_released
    from grouped_images
    group by split_key
),

ranked_keys as (
    select
        split_key, is_released,
        row_number() over (
            partition by is_released
            order by {{ seeded_order('clash_split', 'split_key') }}, split_key
        ) as place,
        count(*) over (partition by is_released) as n_keys
    from split_keys
)

-- a picture of the test set is never trained on; of the others a share is tested, too
select grouped_images.source_image_id
from grouped_images
inner join ranked_keys using (split_key)
where
    ranked_keys.is_released
    or ranked_keys.place <= floor({{ decimal_var('clash_test_share') }} * ranked_keys.n_keys)
