with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark in ('vqa', 'pope', 'okvqa', 'vizwiz', 'gqa', 'amber', 'mmhal')
        and reason is null
),

answered_questions as (
    select distinct benchmark, example_id from predictions
)

select
    answered_questions.benchmark, answered_questions.example_id, questions.source_split,
    questions.question_type, questions.answer_type, questions.gold_answer, questions.human_answers
from answered_questions
inner join {{ ref('question_sets__questions') }} as questions using (benchmark, example_id)
