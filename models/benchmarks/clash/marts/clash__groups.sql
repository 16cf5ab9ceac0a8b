-- a view, because it repeats ids of the examples
{{ config(materialized='view') }}

select
    sample_id as group_id,
    sample_id as example_id,
    condition,
    condition as role
from {{ ref('clash__examples') }}
