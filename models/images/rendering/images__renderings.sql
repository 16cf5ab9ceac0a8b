-- incremental, because a picture that was made is not made again
{{ config(materialized='incremental', unique_key='render_key', on_schema_change='fail') }}

with

recipes as (

    select * from {{ ref('images__recipes') }}
    {%- if not var('render_images') %}
        where false
    {%- endif %}

),

-- alike recipes make one picture
distinct_recipes as (

    select
        *,
        row_number() over (partition by render_key order by recipe_id) as occurrence
    from recipes

),

wanted as (

    select * from distinct_recipes
    where
        occurrence = 1
        {%- if is_incremental() %}
            and render_key not in (
                select render_key from {{ this }}
                where error_kind is null
            )
        {%- endif %}

),

rendered as (

    select
        *,
        gs_render(
            render_key, path, archive, image_sha256, family, severity,
            box_left, box_top, box_width, box_height, rle, seed_key,
            '{{ env_var("GAINSAY_RENDERINGS", "data/renderings") }}',
            {{ var('max_image_bytes') }}
        ) as rendering
    from wanted

),

final as (

    select
        render_key,
        image_sha256,
        family,
        scale,
        rendering.rendered_file as rendered_file,
        rendering.sha256 as sha256,
        rendering.error_kind as error_kind,
        rendering.error as error,
        severity,
        rendering.n_bytes as n_bytes
    from rendered

)

select * from final
