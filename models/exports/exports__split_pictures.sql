-- a view as all exports, so that no audit or export speaks of earlier splits
with
shown_pictures as (select * from {{ ref('exports__shown_pictures') }}),

-- a picture that is shown in another's place gives away as much as the example's own
example_images as (
    select benchmark, split, source_image_id, example_id
    from shown_pictures
    union
    select benchmark, split, shown_image_id as source_image_id, example_id
    from shown_pictures
)

select
    example_images.benchmark, example_images.split, example_images.source_image_id,
    coalesce(split_roles.role, 'test') as split_role,
    count(*) as n_examples
from example_images
left join {{ ref('split_roles') }} as split_roles using (split)
group by
    example_images.benchmark,
    example_images.split,
    example_images.source_image_id,
    coalesce(split_roles.role, 'test')
