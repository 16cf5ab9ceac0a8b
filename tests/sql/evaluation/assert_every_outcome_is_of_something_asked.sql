-- a published record of CLASH holds its sample, and is scored without the test set, too
with
prompts as (
    {{ union_of_ports(
        'prompts', ['example_id', 'task'], with_question_sets=true
    ) }}
)

select distinct
    matches.benchmark,
    matches.task,
    matches.condition,
    matches.example_id
from {{ ref('evaluation__matches') }} as matches
inner join {{ ref('evaluation__predictions') }} as predictions
    on
        matches.source_file = predictions.source_file
        and matches.file_position = predictions.file_position
left join prompts
    on
        matches.benchmark = prompts.benchmark
        and matches.task = prompts.task
        and matches.example_id = prompts.example_id
where
    prompts.example_id is null
    and predictions.image_only_answer is null
