with
pairs as (
    select * from {{ ref('reality_check__pairs') }}
    where is_drawn and recipe_family is not null
),

silhouette_pairs as (
    select * from pairs
    where array_contains(edit_families, 'silhouette')
),

instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where has_outline
),

-- without a mask the outline that edges draw stands in
masks as (
    select
        pairs.pair_id,
        gs_union_mask(
            {{ list_value(segmentation_of('instances')) }},
            images.height, images.width
        ) as mask
    from silhouette_pairs as pairs
    inner join {{ ref('reality_check__images') }} as images on pairs.image_a_id = images.image_id
    inner join instances
        on
            pairs.image_a_id = instances.source_image_id
            and {{ json_field('pairs.recipe_parameters', "'object_id'") }}
            = instances.object_id
)

-- the second picture of a derived pair; also of pairs that are not kept in the end, because what
-- was rendered is checked first
select
    pairs.pair_id || '::b' as recipe_id,
    pairs.image_a_id as source_image_id,
    pairs.recipe_family as family,
    pairs.pair_id as seed_key,
    coalesce(pairs.recipe_rle, masks.mask.rle) as rle,
    pairs.recipe_parameters as parameters,
    1 as severity,
    cast(null as double) as area_fraction
from pairs
left join masks using (pair_id)
union all
-- the photograph with its shadow drawn in, for readers
select
    pair_id || '::region' as recipe_id,
    image_a_id as source_image_id,
    'region' as family,
    pair_id as seed_key,
    recipe_rle as rle,
    cast(null as string) as parameters,
    1 as severity,
    cast(null as double) as area_fraction
from pairs
where
    array_contains(edit_families, 'shadow_turn')
    and {{ 'shadow' in var('reality_check_awaited_queues') }}
