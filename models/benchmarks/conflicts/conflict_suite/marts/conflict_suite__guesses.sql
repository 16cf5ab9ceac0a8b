-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('conflict_suite__examples') }}),

labels as (
    select *, 'answer_and_action' as task, 'oracle_action' as guessed, oracle_action as label
    from examples
    union all
    select *, 'open_ended' as task, 'answer' as guessed, target as label
    from examples
    where target is not null
)

select
    task,
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
