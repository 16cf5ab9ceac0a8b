-- a view: nothing of it is needed before answers to these questions have landed
{{ config(materialized='view') }}

with
asked_questions as (
    select
        benchmark || '|' || example_id as question_key,
        benchmark, example_id, condition,
        coalesce(source_split, 'none') as split,
        {{ normalized_text('question') }} as asked_words,
        {{ normalized_text('gold_answer') }} as right_answer,
        human_answers
    from {{ ref('question_sets__questions') }}
    where is_asked and gold_answer is not null
),

question_pairs as (
    {{ answer_pairs(
        'asked_questions', 'question_set_partner', 'question_key',
        ['benchmark', 'condition', 'split', 'asked_words'], 'right_answer'
    ) }}
),

-- where people's answers are scored, what some of them say of the one picture, nobody says of the
-- other
groups as (
    select
        first_questions.benchmark, first_questions.condition,
        first_questions.example_id as first_id,
        second_questions.example_id as second_id
    from question_pairs
    inner join asked_questions as first_questions
        on question_pairs.first_key = first_questions.question_key
    inner join asked_questions as second_questions
        on question_pairs.second_key = second_questions.question_key
    where
        first_questions.benchmark <> 'vqa'
        or {{ list_intersect_size(
            'first_questions.human_answers', 'second_questions.human_answers'
        ) }} = 0
)

select
    benchmark,
    first_id as group_id,
    first_id as example_id,
    condition,
    'first' as role
from groups
union all
select
    benchmark,
    first_id as group_id,
    second_id as example_id,
    condition,
    'second' as role
from groups
