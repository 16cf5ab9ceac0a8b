-- test splits of which images, or what is like them, are in a training split
with
leaks as (
    select * from audit.audit__image_overlap
    where
        is_leak
        and (
            getvariable('benchmark') is null
            or getvariable('benchmark') in (benchmark, other_benchmark)
        )
)

select
    benchmark as training_benchmark,
    split as training_split,
    other_benchmark as test_benchmark,
    other_split as test_split,
    n_other_images as n_test_images,
    n_shared_images,
    n_other_copies as n_copies,
    n_other_near_duplicates as n_near_duplicates
from leaks
where split_role = 'training'
union all
select
    other_benchmark, other_split, benchmark, split, n_images, n_shared_images, n_copies,
    n_near_duplicates
from leaks
where split_role = 'test'
order by all
