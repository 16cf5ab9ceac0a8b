-- the file of each recipe's picture below the folder of renderings; what failed has none
select recipes.recipe_id, renderings.rendered_file
from images.images__recipes as recipes
inner join images.images__renderings as renderings using (render_key)
where
    renderings.error_kind is null
    and (
        getvariable('recipe_ids') is null
        or recipes.recipe_id in (select unnest(getvariable('recipe_ids')))
    )
order by recipes.recipe_id
