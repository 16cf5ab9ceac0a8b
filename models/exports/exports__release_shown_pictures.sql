select
    benchmark,
    example_id,
    place,
    shown_image_id as source_image_id,
    recipe_id,
    case when picture_state = 'available' then image end as image,
    picture_state
from {{ ref('exports__example_pictures') }}
