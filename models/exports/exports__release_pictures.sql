with
example_pictures as (
    select * from {{ ref('exports__example_pictures') }}
    where split <> 'held_back'
),

-- a picture is given along if one of its examples allows it
ranked_pictures as (
    select
        *,
        count(*) over (partition by benchmark, shown_image_id, recipe_id) as n_examples,
        row_number() over (
            partition by benchmark, shown_image_id, recipe_id
            order by
                case when picture_state = 'available' then 0 else 1 end, picture_state, example_id
        ) as occurrence
    from example_pictures
)

select
    benchmark,
    shown_image_id as source_image_id,
    recipe_id, image_path, image_archive,
    case when picture_state = 'available' then image end as image,
    author, page_url, license_name, license_url, picture_state, n_examples
from ranked_pictures
where occurrence = 1
