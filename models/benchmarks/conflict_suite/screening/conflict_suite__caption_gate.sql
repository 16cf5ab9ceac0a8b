with

gold_answers as (

    select * from {{ ref('conflict_suite__gold_answers') }}
    where is_passed

),

evidence as (

    select * from {{ ref('conflict_suite__caption_evidence') }}

),

captioned_questions as (

    select distinct question_id from evidence

),

final as (

    select
        gold_answers.question_id,
        captioned_questions.question_id is not null as is_passed
    from gold_answers
    left join captioned_questions
        on gold_answers.question_id = captioned_questions.question_id

)

select * from final
