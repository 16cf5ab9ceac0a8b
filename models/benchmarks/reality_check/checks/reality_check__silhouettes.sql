with

pairs as (

    select * from {{ ref('reality_check__pairs') }}
    where is_drawn and {{ list_contains('edit_families', "'silhouette'") }}

),

images as (

    select * from {{ ref('reality_check__images') }}

),

instances as (

    select * from {{ ref('images__instances') }}

),

masks as (

    select
        pairs.pair_id,
        gs_union_mask(
            {{ list_value(segmentation_of('instances')) }},
            images.height, images.width
        ) as mask
    from pairs
    inner join images
        on pairs.image_a_id = images.image_id
    inner join instances
        on
            pairs.image_a_id = instances.source_image_id
            and {{ json_field('pairs.recipe_parameters', "'object_id'") }}
            = 'coco-' || cast(instances.instance_id as {{ dbt.type_string() }})

),

final as (

    select
        pairs.pair_id,
        coalesce({{ struct_extract('masks.mask', 'rle') }}, pairs.recipe_rle) as rle,
        {{ struct_extract('masks.mask', 'error') }} as error
    from pairs
    left join masks
        on pairs.pair_id = masks.pair_id

)

select * from final
