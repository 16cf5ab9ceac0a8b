-- a view, so that a manifest can be checked against the seeds as they are now
-- depends_on: {{ ref('conflict_suite_refined__examples') }}
{{ config(materialized='view') }}

{{ seed_hashes('conflict_suite_refined', also_decided=['conflict_suite_refined__violations']) }}
