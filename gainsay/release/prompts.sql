-- what a model is asked about the records of a release, and controls, which are about none of them
select prompts.* exclude (benchmark)
from exports.exports__prompts as prompts
where
    prompts.benchmark = coalesce(getvariable('benchmark'), prompts.benchmark)
    and (
        prompts.asked_example_id is null
        or (prompts.benchmark, prompts.asked_example_id) in (
            select (records.benchmark, records.example_id)
            from exports.exports__release_records as records
            where records.benchmark = coalesce(getvariable('benchmark'), records.benchmark)
        )
    )
order by prompts.example_id, prompts.task, prompts.condition
