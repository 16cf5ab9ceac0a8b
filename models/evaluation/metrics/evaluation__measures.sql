-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

{{ union_of_ports('measures', with_question_sets=true) }}
