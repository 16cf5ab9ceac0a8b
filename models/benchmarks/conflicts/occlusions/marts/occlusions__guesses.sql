-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('occlusions__examples') }}),

labels as (
    select
        *,
        'right_move' as guessed,
        case when target is null then 'abstain' else 'answer' end as label
    from examples
    union all
    select *, 'answer' as guessed, target as label
    from examples
    where target is not null
)

select
    'open_ended' as task,
    'default' as condition,
    guessed,
    example_id,
    group_id,
    split,
    label,
    question,
    text_input as context,
    cast(null as string) as choices,
    {{ list_value("'family=' || family") }} as slices
from labels
