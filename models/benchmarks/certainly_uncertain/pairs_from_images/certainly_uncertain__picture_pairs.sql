-- a view: nothing of it is needed before a language model is asked
{{ config(materialized='view') }}

with

removals as (

    select * from {{ ref('certainly_uncertain__removals') }}

),

recipes as (

    select * from {{ ref('images__recipes') }}

),

renderings as (

    select * from {{ ref('images__renderings') }}
    where error_kind is null and rendered_file is not null

),

-- questions about the same object share their pictures
final as (

    select
        removals.source_image_id || '::' || removals.object_name as input_id,
        removals.object_name,
        min(recipes.path) as photograph,
        min(renderings.rendered_file) as picture
    from removals
    inner join recipes
        on removals.pair_id || '::unanswerable' = recipes.recipe_id
    inner join renderings
        on recipes.render_key = renderings.render_key
    group by removals.source_image_id, removals.object_name

)

select * from final
