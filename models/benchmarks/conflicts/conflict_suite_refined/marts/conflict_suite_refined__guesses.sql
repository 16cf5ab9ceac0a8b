-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('conflict_suite_refined__examples') }}),

labels as (
    select *, 'right_move' as guessed, right_move as label from examples
    union all
    select *, 'answer' as guessed, target as label
    from examples
    where target is not null
)

select
    'open_ended' as task,
    protocol as condition,
    guessed, example_id, group_id, split, label, question,
    text_input as context,
    cast(null as string) as choices,
    {{ list_value("'family=' || family") }} as slices
from labels
union all
-- a training mix, of which its card says what the words tell
select
    'open_ended' as task,
    'carm' as condition,
    'right_move' as guessed,
    example_id,
    group_id,
    split,
    right_move as label,
    question,
    text_input as context,
    cast(null as string) as choices,
    {{ list_value("'family=' || family") }} as slices
from {{ ref('conflict_suite_refined__carm') }}
