-- a view, because it repeats the texts of the examples
{{ config(materialized='view') }}

{{ conflict_prompts('conflict_suite') }}
