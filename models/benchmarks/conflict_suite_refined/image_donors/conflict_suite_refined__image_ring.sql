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

-- each split has a ring of its own, so that no picture crosses splits; an image without
-- instances stands between the donors, where its own order puts it
ring_places as (

    select
        image_splits.source_image_id,
        image_splits.base_split as ring,
        pictured_categories.categories,
        pictured_categories.source_image_id is not null as is_donor,
        count(pictured_categories.source_image_id) over (
            partition by image_splits.base_split
            order by
                {{ seeded_order('image_donor', 'image_splits.source_image_id') }},
                image_splits.source_image_id
            rows between unbounded preceding and current row
        ) as n_donors_so_far,
        count(pictured_categories.source_image_id) over (partition by image_splits.base_split)
            as ring_size
    from image_splits
    left join pictured_categories
        on image_splits.source_image_id = pictured_categories.source_image_id

),

-- an image without instances can't be a donor; it starts its search at the donor before it
final as (

    select
        source_image_id,
        ring,
        (n_donors_so_far + ring_size - 1) % ring_size as ring_position,
        ring_size,
        is_donor,
        categories
    from ring_places
    where ring_size > 0

)

select * from final
