with
pair_questions as (
    select
        *,
        min(question) over (partition by pair_id)
        = max(question) over (partition by pair_id) as is_one_question
    from {{ ref('certainly_uncertain__examples') }}
)

-- a side that is asked in other words may be told by them
select
    pair_id as group_id,
    example_id,
    'default' as condition,
    operator as role
from pair_questions
where is_one_question
