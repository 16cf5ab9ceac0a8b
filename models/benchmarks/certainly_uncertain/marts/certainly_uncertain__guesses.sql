-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('certainly_uncertain__examples') }}),

-- an answer that few examples have is one of all such answers: nobody learns it from others
answers as (
    select *, count(*) over (partition by target) as n_alike
    from examples
    where target is not null
),

labels as (
    select
        example_id, pair_id, split, category, question, 'answerability' as guessed,
        case when is_answerable then 'answerable' else 'open' end as label
    from examples
    union all
    select
        example_id, pair_id, split, category, question, 'answer' as guessed,
        case
            when n_alike < {{ threshold('shared', 'blind_least_answers') }} then '(rare)'
            else target
        end as label
    from answers
)

select
    'open_ended' as task,
    'default' as condition,
    guessed,
    example_id,
    pair_id as group_id,
    split,
    label,
    question,
    cast(null as string) as context,
    cast(null as string) as choices,
    {{ list_value("'category=' || category") }} as slices
from labels
