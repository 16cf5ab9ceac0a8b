{#-
    Recipes on landed pictures, and what they become.
-#}

{#-
    CTEs that place the recipes of a CTE `recipes`, in the columns of the port `render_recipes`, on
    landed pictures: the last one, `placed_recipes`, has all that `gs_render` takes.
-#}
{% macro placed_recipes() -%}
    {%- set box_width = occlusion_side('files.width', 'recipes.area_fraction') %}
    {%- set box_height = occlusion_side('files.height', 'recipes.area_fraction') -%}
-- a picture that was taken down is not rendered
files as (
    select landed_files.*
    from {{ ref('images__files') }} as landed_files
    left join {{ ref('stg_gainsay__withdrawn_images') }} as withdrawn_images
        on landed_files.source_image_id = withdrawn_images.source_image_id
    where withdrawn_images.source_image_id is null
),

recipe_boxes as (
    select
        recipes.*,
        files.path,
        files.archive,
        files.sha256 as image_sha256,
        files.width as image_width,
        files.height as image_height,
        families.scale,
        families.version,
        families.is_noisy,
        case when recipes.family = 'inpaint_remove' then {{ text_literal(var('inpainter')) }} end
            as inpainter,
        case when recipes.family = 'occlusion' then {{ box_width }} end as box_width,
        case when recipes.family = 'occlusion' then {{ box_height }} end as box_height
    from recipes
    inner join files
        on recipes.source_image_id = files.source_image_id
    inner join {{ ref('corruption_families') }} as families
        on recipes.family = families.family
),

box_places as (
    select
        *,
        {{ occlusion_start('x', 'seed_key', 'image_width', 'box_width') }} as box_left,
        {{ occlusion_start('y', 'seed_key', 'image_height', 'box_height') }} as box_top
    from recipe_boxes
),

-- the key covers all that a picture depends on and nothing else, so that equal recipes make one
-- file
identities as (
    select
        *,
        'render|' || family || '|' || version || '|' || image_sha256 || '|' || severity
        || '|' || coalesce(box_left || ',' || box_top || ',' || box_width || ',' || box_height, '')
        || '|' || coalesce(rle, '')
        || '|' || case when is_noisy then seed_key else '' end
        || case
            when inpainter is null then ''
            else '|' || gs_inpainter_version(inpainter)
        end
        || coalesce('|' || parameters, '') as identity
    from box_places
),

placed_recipes as (
    select
        recipe_id,
        {{ sha256_hex('identity') }} as render_key,
        source_image_id,
        image_sha256,
        path,
        archive,
        family,
        scale,
        rle,
        seed_key,
        inpainter,
        parameters,
        severity,
        box_left,
        box_top,
        box_width,
        box_height
    from identities
)
{%- endmacro %}


{#- A rendering of a placed recipe, as the struct that `gs_render` returns. -#}
{% macro rendering() -%}
gs_render(
            render_key, path, archive, image_sha256, family, severity,
            box_left, box_top, box_width, box_height, rle, seed_key, inpainter,
            parameters, {{ renderings_folder() }}, {{ var('max_image_bytes') }}
        )
{%- endmacro %}


{#-
    The body of `<b>__renderings`: the recipes of a benchmark on landed pictures, and the picture
    that each of them became. The folder knows its pictures by their keys, so that none is drawn
    twice, in later builds and of other benchmarks either.
-#}
{% macro renderings_of(benchmark) -%}
with
recipes as (select * from {{ ref(benchmark ~ '__render_recipes') }}),

{{ placed_recipes() }},

-- alike recipes make one picture
numbered_recipes as (
    select
        *,
        row_number() over (partition by render_key order by recipe_id) as occurrence
    from placed_recipes
    {%- if not var('render_images') %}
    where false
    {%- endif %}
),

-- recipes of one picture together, so that it is decoded once for several of them
drawn_recipes as (
    select {{ spread_over_tasks('image_sha256') }} * from numbered_recipes
    where occurrence = 1
),

attempts as (
    select
        render_key,
        {{ rendering() }} as rendering
    from drawn_recipes
)

select
    placed_recipes.*,
    attempts.rendering.rendered_file as rendered_file,
    attempts.rendering.sha256 as sha256,
    attempts.rendering.error_kind as error_kind,
    attempts.rendering.error as error,
    attempts.rendering.n_bytes as n_bytes
from placed_recipes
left join attempts
    on placed_recipes.render_key = attempts.render_key
{%- endmacro %}
