-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
select
    'open_ended' as task,
    'default' as condition,
    'answerability' as guessed,
    example_id,
    pair_id as group_id,
    split,
    case when is_answerable then 'answerable' else 'open' end as label,
    question,
    cast(null as {{ dbt.type_string() }}) as context,
    cast(null as {{ dbt.type_string() }}) as choices,
    {{ list_value("'category=' || category") }} as slices
from {{ ref('certainly_uncertain__examples') }}
