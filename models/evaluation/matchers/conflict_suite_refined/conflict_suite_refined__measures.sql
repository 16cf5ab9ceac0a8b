-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

select
    source_file,
    file_position,
    matcher,
    metric,
    numerator,
    denominator
from {{ ref('evaluation__conflict_measures') }}
where benchmark = 'conflict_suite_refined'
