-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('clash__examples') }}),

-- whether a caption is the changed one, and under which letter the right choice stands
tasks as (
    select
        *,
        'open_ended' as task,
        'caption' as guessed,
        condition as label,
        cast(null as {{ dbt.type_string() }}) as choices
    from examples
    union all
    select
        *,
        'multiple_choice' as task,
        'letter' as guessed,
        right_letter as label,
        choices_text as choices
    from examples
)

select
    task,
    origin as condition,
    guessed,
    example_id,
    sample_id as group_id,
    split,
    label,
    question,
    caption_shown as context,
    choices,
    {{ list_value("'family=' || family", "'category=' || category") }} as slices
from tasks
