-- a view: answers name the few of these samples that are read
{{ config(materialized='view') }}

with
samples as (
    select sample_id, condition, split from {{ ref('clash__examples') }}
),

-- of either caption its own metric, and of both that of whole samples
measures as (
    select
        *,
        case when condition = 'conflicting' then 'contradiction' else 'image_only' end as metric,
        {{ one_if("condition = 'conflicting'") }} as numerator
    from samples
    union all
    select *, 'group_accuracy' as metric, cast(0 as double) as numerator from samples
)

select
    'clash' as benchmark,
    sample_id as example_id,
    condition, split, metric, numerator,
    cast(1 as double) as denominator
from measures
