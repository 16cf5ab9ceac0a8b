-- a view: it is scored as the Conflict Suite is
{{ config(materialized='view') }}

select
    metric,
    part_of,
    unit,
    better,
    better_when,
    target,
    description
from {{ ref('conflict_suite__metrics') }}
