with
-- a custom recipe without an image applies to every image
recipes as (
    select
        custom_recipes.recipe_id || '::' || landed_files.source_image_id as recipe_id,
        landed_files.source_image_id, custom_recipes.family,
        custom_recipes.recipe_id || '::' || landed_files.source_image_id as seed_key,
        cast(null as string) as rle, cast(null as string) as parameters, custom_recipes.severity,
        custom_recipes.area_fraction
    from {{ ref('custom_recipes') }} as custom_recipes
    inner join {{ ref('images__files') }} as landed_files
        on
            custom_recipes.source_image_id = landed_files.source_image_id
            or custom_recipes.source_image_id is null
),

{{ placed_recipes() }},
recipes_of_benchmarks as (
    {{ union_of_ports('renderings', port_columns('renderings')[:17]) }}
)

select
    recipe_id, render_key, source_image_id, image_sha256, path, archive, family, scale, rle,
    seed_key, inpainter, parameters, severity, box_left, box_top, box_width, box_height
from recipes_of_benchmarks
union all
select * from placed_recipes
