-- a view: it is scored as VQA v2.0 is
{{ config(materialized='view') }}

select
    metric,
    part_of,
    unit,
    better,
    better_when,
    target,
    description
from {{ ref('vqa__metrics') }}
