-- a view: it is scored as UNK-VQA is
{{ config(materialized='view') }}

select
    task,
    place,
    matcher,
    version,
    description
from {{ ref('unk_vqa__matchers') }}
