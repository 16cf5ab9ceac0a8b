-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

recipes as (

    select * from {{ ref('images__recipes') }}

),

renderings as (

    select * from {{ ref('images__renderings') }}

),

removals as (

    select * from {{ ref('certainly_uncertain__removals') }}

),

final as (

    select
        removals.pair_id as candidate_id,
        renderings.error as drop_detail,
        renderings.error_kind is null as is_passed
    from removals
    inner join recipes
        on removals.pair_id || '::unanswerable' = recipes.recipe_id
    inner join renderings
        on recipes.render_key = renderings.render_key

)

select * from final
