-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
select
    'open_ended' as task,
    protocol as condition,
    'right_move' as guessed,
    example_id,
    group_id,
    split,
    right_move as label,
    question,
    text_input as context,
    cast(null as {{ dbt.type_string() }}) as choices,
    {{ list_value("'family=' || family") }} as slices
from {{ ref('conflict_suite_refined__examples') }}
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
    cast(null as {{ dbt.type_string() }}) as choices,
    {{ list_value("'family=' || family") }} as slices
from {{ ref('conflict_suite_refined__carm') }}
