with
example_pictures as (
    select * from {{ ref('exports__example_pictures') }}
    where split <> 'held_back'
)

select
    benchmark, example_id, place,
    shown_image_id as source_image_id,
    recipe_id,
    case when picture_state = 'available' then image end as image,
    picture_state
from example_pictures
