-- a view: it is scored as UNK-VQA is
{{ config(materialized='view') }}

select
    metric,
    part_of,
    unit,
    better,
    better_when,
    target,
    description
from {{ ref('unk_vqa__metrics') }}
