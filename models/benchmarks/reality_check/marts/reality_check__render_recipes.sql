with

pairs as (

    select * from {{ ref('reality_check__pairs') }}
    where is_drawn and recipe_family is not null

),

silhouettes as (

    select * from {{ ref('reality_check__silhouettes') }}

),

-- the second picture of a derived pair; also of pairs that are not kept in the end, because what
-- was rendered is checked first
final as (

    select
        pairs.pair_id || '::b' as recipe_id,
        pairs.image_a_id as source_image_id,
        pairs.recipe_family as family,
        pairs.pair_id as seed_key,
        coalesce(pairs.recipe_rle, silhouettes.rle) as rle,
        pairs.recipe_parameters as parameters,
        1 as severity,
        cast(null as double) as area_fraction
    from pairs
    left join silhouettes
        on pairs.pair_id = silhouettes.pair_id

)

select * from final
