-- a view, so that a manifest can be checked against the seeds as they are now
-- depends_on: {{ ref('certainly_uncertain__examples') }}
{{ config(materialized='view') }}

{{ without_indents(seed_hashes('certainly_uncertain')) }}
