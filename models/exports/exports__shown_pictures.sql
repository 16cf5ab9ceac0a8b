with
examples as (
    {{ union_of_ports(
        'examples', ['example_id', 'source_image_id', 'shown_image_id', 'recipe_id', 'split']
    ) }}
),

-- pictures of a benchmark that shows several at once
picture_lists as (
    {{ union_of_picture_lists() }}
),

listed_pictures as (
    {{ listed_pictures('picture_lists', ['benchmark', 'example_id']) }}
),

-- the first of a list is the one that the port names
shown_pictures as (
    select benchmark, example_id, 1 as place, shown_image_id, recipe_id from examples
    union all
    select *
    from listed_pictures
    where place > 1 and shown_image_id is not null
)

select
    shown_pictures.benchmark, shown_pictures.example_id, shown_pictures.place,
    examples.source_image_id, shown_pictures.shown_image_id, shown_pictures.recipe_id,
    examples.split
from shown_pictures
inner join examples using (benchmark, example_id)
