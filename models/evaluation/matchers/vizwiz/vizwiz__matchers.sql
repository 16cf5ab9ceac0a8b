-- a view: it is scored as VQA v2.0 is
{{ config(materialized='view') }}

select
    task,
    place,
    matcher,
    version,
    description
from {{ ref('vqa__matchers') }}
