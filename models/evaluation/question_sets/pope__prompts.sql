-- a view: nothing of it is needed before answers to these questions have landed
{{ config(materialized='view') }}

select
    'vqa-' || question_id as example_id,
    cast(question_id as {{ dbt.type_string() }}) as example_key,
    'open_ended' as task,
    'default' as condition,
    source_image_id,
    image_id,
    source_image_id as shown_image_id,
    cast(null as {{ dbt.type_string() }}) as recipe_id,
    question,
    cast(null as {{ dbt.type_string() }}) as context,
    cast(null as {{ dbt.type_string() }}) as choices,
    -- gainsay/lm/prompts/pope.toml says how to answer
    cast(null as {{ dbt.type_string() }}) as instruction,
    cast(null as {{ dbt.type_string() }}) as prompt_version
from {{ ref('vqa__questions') }}
where multiple_choice_answer in ('yes', 'no')

union all

{{ question_set_prompts('pope') }}
