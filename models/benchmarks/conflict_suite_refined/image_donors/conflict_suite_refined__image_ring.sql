with

image_splits as (

    select distinct
        source_image_id,
        base_split
    from {{ ref('conflict_suite__bases') }}

),

shown as (

    select
        source_image_id,
        {{ list_sort_distinct(array_agg_unordered('category_id')) }} as categories
    from {{ ref('stg_coco__instances') }}
    group by source_image_id

),

-- a picture stands on the ring of its split, so that none crosses splits; one without
-- instances has its place between the donors, where its own order puts it
placed as (

    select
        image_splits.source_image_id,
        image_splits.base_split as ring,
        shown.categories,
        shown.source_image_id is not null as is_donor,
        count(shown.source_image_id) over (
            partition by image_splits.base_split
            order by
                {{ seeded_order('image_donor', 'image_splits.source_image_id') }},
                image_splits.source_image_id
            rows between unbounded preceding and current row
        ) as n_donors_so_far,
        count(shown.source_image_id) over (partition by image_splits.base_split) as ring_size
    from image_splits
    left join shown
        on image_splits.source_image_id = shown.source_image_id

),

-- who is no donor stands where the donor before it does, round the ring
final as (

    select
        source_image_id,
        ring,
        (n_donors_so_far + ring_size - 1) % ring_size as ring_position,
        ring_size,
        is_donor,
        categories
    from placed
    where ring_size > 0

)

select * from final
