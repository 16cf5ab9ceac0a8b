with

image_splits as (

    select distinct
        source_image_id,
        base_split
    from {{ ref('conflict_suite__bases') }}

),

instances as (

    select * from {{ ref('stg_coco__instances') }}

),

pictured_categories as (

    select
        source_image_id,
        {{ list_sort_distinct(array_agg_unordered('category_id')) }} as categories
    from instances
    group by source_image_id

),

split_images as (

    select
        image_splits.source_image_id,
        image_splits.base_split as ring,
        pictured_categories.categories,
        pictured_categories.source_image_id is not null as is_donor
    from image_splits
    left join pictured_categories
        on image_splits.source_image_id = pictured_categories.source_image_id

),

-- each split has a ring of its own, so that no picture crosses splits; an image without
-- instances stands between the donors, where its own order puts it
ring_places as (

    {{ seeded_places(
        'split_images', 'image_donor', 'source_image_id', partition_by=['ring'], counted='is_donor'
    ) }}

),

-- an image without instances can't be a donor; it starts its search at the donor before it
final as (

    select
        source_image_id,
        ring,
        (seeded_place + n_places) % n_places as ring_position,
        n_places as ring_size,
        is_donor,
        categories
    from ring_places
    where n_places > 0

)

select * from final
