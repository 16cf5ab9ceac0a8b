-- a view: nothing of it is needed before answers to these questions have landed
{{ config(materialized='view') }}

{{ question_set_prompts('gqa') }}
