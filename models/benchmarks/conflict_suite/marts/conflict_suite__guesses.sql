-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
select
    'answer_and_action' as task,
    'default' as condition,
    'oracle_action' as guessed,
    example_id,
    group_id,
    split,
    oracle_action as label,
    question,
    text_input as context,
    cast(null as {{ dbt.type_string() }}) as choices,
    {{ list_value("'family=' || family") }} as slices
from {{ ref('conflict_suite__examples') }}
