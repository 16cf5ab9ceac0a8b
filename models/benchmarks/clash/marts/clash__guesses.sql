-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('clash__examples') }}),

answers as (
    select *, count(*) over (partition by origin, target) as n_alike
    from examples
    where target is not null
),

-- whether a caption is the changed one, under which letter the right choice stands, and the answer
-- where there is one; an answer that few samples have is one of all such answers
labels as (
    select
        example_id, 'open_ended' as task, 'caption' as guessed,
        condition as label,
        cast(null as string) as choices
    from examples
    union all
    select
        example_id, 'multiple_choice' as task, 'letter' as guessed,
        right_letter as label,
        choices_text as choices
    from examples
    union all
    select
        example_id, 'open_ended' as task, 'answer' as guessed,
        case
            when n_alike < {{ threshold('shared', 'blind_least_answers') }} then '(rare)'
            else target
        end as label,
        cast(null as string) as choices
    from answers
)

select
    labels.task,
    examples.origin as condition,
    labels.guessed,
    examples.example_id,
    examples.sample_id as group_id,
    examples.split,
    labels.label,
    examples.question,
    examples.caption_shown as context,
    labels.choices,
    {{ list_value("'family=' || examples.family", "'category=' || examples.category") }} as slices
from labels
inner join examples using (example_id)
