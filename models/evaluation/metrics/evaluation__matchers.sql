-- a view: a few lines of each benchmark
{{ config(materialized='view') }}

{{ union_of_ports('matchers', with_question_sets=true) }}
