with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark in ('vqa', 'pope', 'okvqa', 'vizwiz', 'gqa')
        and reason is null

),

vqa_questions as (

    select * from {{ ref('vqa__questions') }}

),

set_questions as (

    select * from {{ ref('question_sets__questions') }}

),

answered_questions as (

    select distinct
        benchmark,
        example_id,
        {{ vqa_question_id('example_id') }} as question_id
    from predictions

),

final as (

    select
        answered_questions.benchmark,
        answered_questions.example_id,
        vqa_questions.source_split,
        vqa_questions.question_type,
        vqa_questions.answer_type,
        vqa_questions.multiple_choice_answer as gold_answer,
        vqa_questions.human_answers
    from answered_questions
    inner join vqa_questions
        on answered_questions.question_id = vqa_questions.question_id
    union all
    select
        answered_questions.benchmark,
        answered_questions.example_id,
        set_questions.source_split,
        set_questions.question_type,
        set_questions.answer_type,
        set_questions.gold_answer,
        set_questions.human_answers
    from answered_questions
    inner join set_questions
        on
            answered_questions.benchmark = set_questions.benchmark
            and answered_questions.example_id = set_questions.example_id

)

select * from final
