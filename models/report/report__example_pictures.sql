with
examples as (
    select distinct benchmark, example_id from {{ ref('report__examples') }}
)

select
    shown_pictures.benchmark,
    shown_pictures.example_id,
    concat_ws(
        '::', shown_pictures.shown_image_id, shown_pictures.recipe_id
    ) as picture_id,
    shown_pictures.shown_image_id,
    shown_pictures.recipe_id,
    cast(shown_pictures.place as bigint) as place
from {{ ref('exports__shown_pictures') }} as shown_pictures
inner join examples using (benchmark, example_id)
where shown_pictures.shown_image_id is not null
