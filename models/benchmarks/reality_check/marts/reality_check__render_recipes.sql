with

pairs as (

    select * from {{ ref('reality_check__pairs') }}
    where is_drawn and recipe_family is not null

),

-- the second picture of a derived pair; also of pairs that are not kept in the end, because what
-- was rendered is checked first
final as (

    select
        pair_id || '::b' as recipe_id,
        image_a_id as source_image_id,
        recipe_family as family,
        pair_id as seed_key,
        recipe_rle as rle,
        recipe_parameters as parameters,
        1 as severity,
        cast(null as double) as area_fraction
    from pairs

)

select * from final
