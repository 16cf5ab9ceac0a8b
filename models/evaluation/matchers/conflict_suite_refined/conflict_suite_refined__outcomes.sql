-- a view: the answers are matched together with those of its sisters
{{ config(materialized='view') }}

{{ conflict_outcomes('conflict_suite_refined') }}
