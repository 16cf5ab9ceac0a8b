-- a view: a few lines of each benchmark
{{ config(materialized='view') }}

{{ union_of_ports('metrics', with_question_sets=true) }}
