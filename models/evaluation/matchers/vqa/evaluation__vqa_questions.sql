with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark in ('vqa', 'pope')
        and reason is null

),

questions as (

    select * from {{ ref('vqa__questions') }}

),

asked_questions as (

    select distinct {{ vqa_question_id('example_id') }} as question_id
    from predictions

),

final as (

    select
        questions.question_id,
        questions.source_split,
        questions.question_type,
        questions.answer_type,
        questions.multiple_choice_answer,
        questions.human_answers
    from asked_questions
    inner join questions
        on asked_questions.question_id = questions.question_id

)

select * from final
