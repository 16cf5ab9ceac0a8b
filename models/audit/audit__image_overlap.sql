with

split_pictures as (

    select * from {{ ref('audit__split_pictures') }}

),

split_sizes as (

    select
        benchmark,
        split,
        split_role,
        count(*) as n_images
    from split_pictures
    group by benchmark, split, split_role

),

shared_images as (

    select
        one.benchmark,
        one.split,
        other.benchmark as other_benchmark,
        other.split as other_split,
        count(*) as n_shared_images
    from split_pictures as one
    inner join split_pictures as other
        on one.source_image_id = other.source_image_id
    group by one.benchmark, one.split, other.benchmark, other.split

),

-- every pair once, those that share nothing included
pairs as (

    select
        one.benchmark,
        one.split,
        one.split_role,
        one.n_images,
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

final as (

    select
        pairs.benchmark,
        pairs.split,
        pairs.other_benchmark,
        pairs.other_split,
        pairs.split_role,
        pairs.other_split_role,
        pairs.n_images,
        pairs.n_other_images,
        coalesce(shared_images.n_shared_images, 0) as n_shared_images,
        coalesce(shared_images.n_shared_images, 0) > 0
        and (
            (pairs.split_role = 'training' and pairs.other_split_role = 'test')
            or (pairs.split_role = 'test' and pairs.other_split_role = 'training')
        ) as is_leak
    from pairs
    left join shared_images
        on
            pairs.benchmark = shared_images.benchmark
            and pairs.split = shared_images.split
            and pairs.other_benchmark = shared_images.other_benchmark
            and pairs.other_split = shared_images.other_split

)

select * from final
