with
recipes as (
    select recipe_id, render_key from {{ ref('images__recipes') }}
),

renderings as (
    select render_key, rendered_file
    from {{ ref('images__renderings') }}
    where error_kind is null
),

wanted_pictures as (
    select source_image_id as shown_image_id, cast(null as string) as recipe_id
    from {{ ref('report__drop_examples') }}
    union
    select shown_image_id, recipe_id
    from {{ ref('report__example_pictures') }}
)

-- a photograph as it is stays what its author licensed, a rendered one is a derivative of it
select
    concat_ws(
        '::', wanted_pictures.shown_image_id, wanted_pictures.recipe_id
    ) as picture_id,
    wanted_pictures.shown_image_id, wanted_pictures.recipe_id, photographs.path,
    photographs.archive, renderings.rendered_file, photographs.license_name,
    photographs.license_url, photographs.flickr_url,
    case
        when photographs.picture_state is null then 'not_landed'
        when photographs.picture_state <> 'shown' or wanted_pictures.recipe_id is null
            then photographs.picture_state
        when not photographs.allows_derivatives then 'license_forbids_derivatives'
        when renderings.rendered_file is null then 'not_rendered'
        else 'shown'
    end as picture_state
from wanted_pictures
left join {{ ref('report__photographs') }} as photographs
    on wanted_pictures.shown_image_id = photographs.source_image_id
left join recipes using (recipe_id)
left join renderings on recipes.render_key = renderings.render_key
where wanted_pictures.shown_image_id is not null
