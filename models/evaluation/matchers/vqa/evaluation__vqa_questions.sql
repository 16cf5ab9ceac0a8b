with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark in ('vqa', 'pope', 'okvqa', 'vizwiz', 'gqa', 'amber', 'mmhal')
        and reason is null

),

questions as (

    select * from {{ ref('question_sets__questions') }}

),

answered_questions as (

    select distinct
        benchmark,
        example_id
    from predictions

),

final as (

    select
        answered_questions.benchmark,
        answered_questions.example_id,
        questions.source_split,
        questions.question_type,
        questions.answer_type,
        questions.gold_answer,
        questions.human_answers
    from answered_questions
    inner join questions
        on
            answered_questions.benchmark = questions.benchmark
            and answered_questions.example_id = questions.example_id

)

select * from final
