{{ config(materialized=kept_as('jsonl')) }}
select
    benchmark,
    {{ record_fields() }},
    target
from {{ ref('exports__records') }}
