{%- set box_width = occlusion_side('files.width', 'recipes.area_fraction') %}
{%- set box_height = occlusion_side('files.height', 'recipes.area_fraction') -%}
with

withdrawn_images as (

    select * from {{ ref('stg_gainsay__withdrawn_images') }}

),

-- a picture that was taken down is not rendered
files as (

    select landed_files.*
    from {{ ref('images__files') }} as landed_files
    left join withdrawn_images
        on landed_files.source_image_id = withdrawn_images.source_image_id
    where withdrawn_images.source_image_id is null

),

families as (

    select * from {{ ref('corruption_families') }}

),

published_recipes as (

    {{ union_of_ports('render_recipes') }}

),

custom_recipes as (

    select * from {{ ref('custom_recipes') }}

),

recipes as (

    select
        recipe_id,
        source_image_id,
        family,
        seed_key,
        rle,
        parameters,
        severity,
        area_fraction
    from published_recipes

    union all

    -- a custom recipe without an image applies to every image
    select
        custom_recipes.recipe_id || '::' || files.source_image_id as recipe_id,
        files.source_image_id,
        custom_recipes.family,
        custom_recipes.recipe_id || '::' || files.source_image_id as seed_key,
        cast(null as {{ dbt.type_string() }}) as rle,
        cast(null as {{ dbt.type_string() }}) as parameters,
        custom_recipes.severity,
        custom_recipes.area_fraction
    from custom_recipes
    inner join files
        on
            custom_recipes.source_image_id = files.source_image_id
            or custom_recipes.source_image_id is null

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
    inner join families
        on recipes.family = families.family

),

placed_recipes as (

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
    from placed_recipes

),

final as (

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

select * from final
