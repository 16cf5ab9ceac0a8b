-- what the blind reader read that does not leave, or not in the split that it was read in
with
guesses as (
    select distinct benchmark, example_id, split
    from audit.audit__blind_guesses
    where benchmark = coalesce(getvariable('benchmark'), benchmark)
)

select guesses.split as read_in, deliverable.split as delivered_in, count(*) as n
from guesses
left join exports.exports__deliverable as deliverable
    on
        guesses.benchmark = deliverable.benchmark
        and guesses.example_id = deliverable.example_id
where deliverable.example_id is null or guesses.split is distinct from deliverable.split
group by all
order by all
