-- a view, so that a manifest can be checked against the seeds as they are now
-- depends_on: {{ ref('reality_check__examples') }}
{{ config(materialized='view') }}

{{ without_indents(seed_hashes('reality_check')) }}
