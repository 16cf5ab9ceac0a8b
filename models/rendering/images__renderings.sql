-- incremental, because a picture that was made is not made again
{{ config(materialized='incremental', unique_key='render_key', on_schema_change='fail') }}
-- where they lie, from the same build: depends_on: {{ ref('images__renderings_folder') }}
-- what a benchmark has drawn is in the folder already: only custom recipes and what is gone are
-- drawn here
with
recipes as (
    select * from {{ ref('images__recipes') }}
    {%- if not var('render_images') %}
        where false
    {%- endif %}
),

-- renderings of earlier builds whose files are still there; errors are tried again
earlier_renderings as (
    {%- if is_incremental() %}
        select render_key from {{ this }}
        where
            error_kind is null
            and gs_is_rendered(rendered_file, n_bytes, {{ renderings_folder() }})
    {%- else %}
        select render_key from recipes
        where false
    {%- endif %}
),

-- alike recipes make one picture
missing_recipes as (
    select
        recipes.*,
        row_number() over (partition by recipes.render_key order by recipes.recipe_id) as occurrence
    from recipes
    left join earlier_renderings using (render_key)
    where earlier_renderings.render_key is null
),

-- recipes of one picture together, so that it is decoded once for several of them
new_recipes as (
    select {{ spread_over_tasks('image_sha256') }} * from missing_recipes
    where occurrence = 1
),

attempts as (
    select *, {{ rendering() }} as rendering from new_recipes
)

select
    render_key, image_sha256, family, scale,
    rendering.rendered_file as rendered_file,
    rendering.sha256 as sha256,
    rendering.error_kind as error_kind,
    rendering.error as error,
    severity,
    rendering.n_bytes as n_bytes
from attempts
