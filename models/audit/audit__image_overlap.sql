-- a view, so that it speaks of the splits as they are; it is read once in a while
{{ config(materialized='view') }}
with
split_pictures as (select * from {{ ref('exports__split_pictures') }}),

split_sizes as (
    select benchmark, split, split_role, count(*) as n_images
    from split_pictures
    group by benchmark, split, split_role
),

shared_images as (
    select
        one.benchmark, one.split,
        other.benchmark as other_benchmark,
        other.split as other_split,
        count(*) as n_shared_images
    from split_pictures as one
    inner join split_pictures as other using (source_image_id)
    group by one.benchmark, one.split, other.benchmark, other.split
),

alike_pictures as (
    select
        split_pictures.benchmark, split_pictures.split, split_pictures.source_image_id,
        likeness_keys.likeness, likeness_keys.likeness_key, likeness_keys.is_own
    from split_pictures
    inner join {{ ref('images__likeness_keys') }} as likeness_keys using (source_image_id)
),

split_keys as (
    select distinct benchmark, split, likeness, likeness_key from alike_pictures
),

-- images of one split, and which other splits have one that is like it
likenesses as (
    select
        alike_pictures.benchmark, alike_pictures.split, alike_pictures.source_image_id,
        split_keys.benchmark as other_benchmark,
        split_keys.split as other_split,
        max(case when alike_pictures.likeness = 'same_content' then 1 else 0 end)
            as n_same_content
    from alike_pictures
    inner join split_keys using (likeness, likeness_key)
    where alike_pictures.is_own
    group by
        alike_pictures.benchmark,
        alike_pictures.split, alike_pictures.source_image_id, split_keys.benchmark, split_keys.split
),

-- an image that the other split has itself is shared, and like no other
alike_images as (
    select
        likenesses.benchmark, likenesses.split, likenesses.other_benchmark, likenesses.other_split,
        sum(likenesses.n_same_content) as n_copies,
        count(*) - sum(likenesses.n_same_content) as n_near_duplicates
    from likenesses
    left join split_pictures
        on
            likenesses.other_benchmark = split_pictures.benchmark
            and likenesses.other_split = split_pictures.split
            and likenesses.source_image_id = split_pictures.source_image_id
    where split_pictures.source_image_id is null
    group by
        likenesses.benchmark,
        likenesses.split, likenesses.other_benchmark, likenesses.other_split
),

-- every pair once, those that share nothing included
pairs as (
    select
        one.*,
        other.benchmark as other_benchmark,
        other.split as other_split,
        other.split_role as other_split_role,
        other.n_images as n_other_images
    from split_sizes as one
    inner join split_sizes as other
        on
            one.benchmark < other.benchmark
            or (one.benchmark = other.benchmark and one.split < other.split)
),

counted_pairs as (
    select
        pairs.*,
        coalesce(shared_images.n_shared_images, 0) as n_shared_images,
        coalesce(own_images.n_copies, 0) as n_copies,
        coalesce(other_images.n_copies, 0) as n_other_copies,
        coalesce(own_images.n_near_duplicates, 0) as n_near_duplicates,
        coalesce(other_images.n_near_duplicates, 0) as n_other_near_duplicates
    from pairs
    left join shared_images using (benchmark, split, other_benchmark, other_split)
    left join alike_images as own_images using (benchmark, split, other_benchmark, other_split)
    left join alike_images as other_images
        on
            pairs.benchmark = other_images.other_benchmark
            and pairs.split = other_images.other_split
            and pairs.other_benchmark = other_images.benchmark
            and pairs.other_split = other_images.split
)

select
    benchmark, split, other_benchmark, other_split, split_role, other_split_role, n_images,
    n_other_images, n_shared_images,
    cast(n_copies as bigint) as n_copies,
    cast(n_other_copies as bigint) as n_other_copies,
    cast(n_near_duplicates as bigint) as n_near_duplicates,
    cast(n_other_near_duplicates as bigint) as n_other_near_duplicates,
    n_shared_images + n_copies + n_near_duplicates > 0
    and (
        (split_role = 'training' and other_split_role = 'test')
        or (split_role = 'test' and other_split_role = 'training')
    ) as is_leak
from counted_pairs
