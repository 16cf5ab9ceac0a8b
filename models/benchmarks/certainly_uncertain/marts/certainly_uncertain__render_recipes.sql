with

screened as (

    select * from {{ ref('certainly_uncertain__screened') }}

),

final as (

    select
        pair_id || '::unanswerable' as recipe_id,
        source_image_id,
        recipe_family as family,
        pair_id as seed_key,
        rle,
        cast(null as {{ dbt.type_int() }}) as severity,
        cast(null as double) as area_fraction
    from screened
    where is_retained and recipe_family is not null

)

select * from final
