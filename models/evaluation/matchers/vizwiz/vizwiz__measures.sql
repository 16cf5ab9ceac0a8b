-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

select
    source_file,
    file_position,
    matcher,
    'vqa_accuracy' as metric,
    credit as numerator,
    cast(1 as double) as denominator
from {{ ref('vizwiz__outcomes') }}
