-- a view: it is scored as the Conflict Suite is
{{ config(materialized='view') }}

select
    task,
    place,
    matcher,
    version,
    description
from {{ ref('conflict_suite__matchers') }}
