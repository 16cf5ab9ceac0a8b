-- a view: a few of its pictures are asked about, and nothing else reads it
{{ config(materialized='view') }}

with

screened as (

    select * from {{ ref('occlusions__screened') }}
    where is_retained

),

recipes as (

    select * from {{ ref('images__recipes') }}

),

renderings as (

    select * from {{ ref('images__renderings') }}
    where rendered_file is not null

),

final as (

    select
        screened.judged_picture_id as input_id,
        screened.question,
        renderings.rendered_file as picture
    from screened
    inner join recipes
        on screened.example_id = recipes.recipe_id
    inner join renderings
        on recipes.render_key = renderings.render_key

)

select * from final
