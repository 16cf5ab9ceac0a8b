-- answers of a landed file that hold what a chat template or a thought leaves in them
select count(*)
from raw.predictions
where
    _source_file = getvariable('source_file')
    and len(
        list_filter(
            getvariable('marks')::varchar[], lambda mark: contains(prediction, mark)
        )
    ) > 0
