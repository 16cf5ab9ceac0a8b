-- a view: nothing of it is needed before models are asked or answers have landed
{{ config(materialized='view') }}
with
-- an answer, or an answer and the action that it stands on
tasks as (
    select 'open_ended' as task
    union all
    select 'answer_and_action' as task
)

select
    examples.benchmark, examples.example_id,
    examples.example_id as example_key,
    examples.example_id as asked_example_id,
    tasks.task, 'default' as condition, examples.source_image_id, examples.image_id,
    examples.shown_image_id, examples.recipe_id, examples.question,
    examples.text_input as context,
    cast(null as string) as choices,
    case tasks.task
        when 'open_ended' then {{ instruction('export_instruction') }}
    end as instruction,
    -- another wording is another version
    case tasks.task
        when 'open_ended'
            then substr(md5({{ instruction('export_instruction') }}), 1, 8)
    end as prompt_version
from {{ ref('conflicts__examples') }} as examples
cross join tasks
