{{ config(materialized=kept_as('jsonl')) }}
select
    benchmark,
    {{ record_fields() }},
    target, answer_shares, doubt_share
from {{ ref('exports__records') }}
