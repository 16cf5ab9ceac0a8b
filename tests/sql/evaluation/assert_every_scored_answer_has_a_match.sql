-- an answer without a reason to be left out is matched by every matcher of its task
select
    predictions.source_file,
    predictions.file_position,
    matchers.matcher
from {{ ref('evaluation__predictions') }} as predictions
inner join {{ ref('evaluation__matchers') }} as matchers
    on
        predictions.benchmark = matchers.benchmark
        and predictions.task = matchers.task
left join {{ ref('evaluation__matches') }} as matches
    on
        predictions.source_file = matches.source_file
        and predictions.file_position = matches.file_position
        and matchers.matcher = matches.matcher
where
    predictions.reason is null
    and matches.matcher is null
