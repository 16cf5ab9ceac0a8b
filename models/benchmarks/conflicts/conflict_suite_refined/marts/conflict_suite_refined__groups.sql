-- a view, because it repeats ids of the examples
{{ config(materialized='view') }}

select
    protocol || '::' || group_id as group_id,
    example_id,
    'default' as condition,
    operator as role
from {{ ref('conflict_suite_refined__examples') }}
