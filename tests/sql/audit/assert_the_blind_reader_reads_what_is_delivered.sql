-- question sets are others', and leave with none of our files
select
    guesses.benchmark,
    guesses.example_id,
    guesses.split,
    deliverable.split as delivered_split
from (
    select distinct
        benchmark,
        example_id,
        split
    from {{ ref('audit__blind_guesses') }}
    where benchmark in ({{ text_literals(var('benchmarks')) }})
) as guesses
left join {{ ref('exports__deliverable') }} as deliverable using (benchmark, example_id)
where
    deliverable.example_id is null
    or guesses.split is distinct from deliverable.split
