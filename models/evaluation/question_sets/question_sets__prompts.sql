-- a view: nothing of it is needed before answers to these questions have landed
{{ config(materialized='view') }}

select
    benchmark, example_id, example_key,
    cast(null as string) as asked_example_id,
    'open_ended' as task,
    condition, source_image_id, image_id,
    source_image_id as shown_image_id,
    cast(null as string) as recipe_id,
    question,
    cast(null as string) as context,
    cast(null as string) as choices,
    -- a file of gainsay/lm/prompts says how to answer
    cast(null as string) as instruction,
    cast(null as string) as prompt_version
from {{ ref('question_sets__questions') }}
where is_asked
