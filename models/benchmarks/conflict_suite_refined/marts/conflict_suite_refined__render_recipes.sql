with

examples as (

    select * from {{ ref('conflict_suite_refined__examples') }}
    where recipe_id is not null

),

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

final as (

    select
        examples.recipe_id,
        examples.shown_image_id as source_image_id,
        examples.vision_family as family,
        examples.recipe_id as seed_key,
        variants.rle,
        cast(null as {{ dbt.type_string() }}) as parameters,
        examples.severity,
        cast(null as double) as area_fraction
    from examples
    inner join variants
        on examples.example_id = variants.candidate_id

)

select * from final
