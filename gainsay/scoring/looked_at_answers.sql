-- what somebody should look at in a landed file of answers: ids that come again, answers that are
-- empty, and those that hold what a chat template or a thought leaves in them
select
    count(*) as n_answers,
    count(*) - count(distinct example_key) as n_repeated,
    count(*) filter (trim(coalesce(prediction, '')) = '') as n_empty,
    count(*) filter (
        len(
            list_filter(
                getvariable('marks')::varchar[], lambda mark: contains(prediction, mark)
            )
        ) > 0
    ) as n_marked
from raw.predictions
where _source_file = getvariable('source_file')
