-- a view: nothing of it is needed before answers to these questions have landed
{{ config(materialized='view') }}

with

questions as (

    select * from {{ ref('stg_vqa__questions') }}
    where occurrence = 1

),

annotations as (

    select * from {{ ref('stg_vqa__annotations') }}
    where occurrence = 1

),

final as (

    select
        questions.question_id,
        questions.image_id,
        questions.source_image_id,
        questions.source_split,
        questions.question,
        annotations.question_type,
        annotations.source_answer_type as answer_type,
        annotations.multiple_choice_answer,
        {{ list_transform('annotations.answers', 'answered', 'answered.answer') }} as human_answers
    from questions
    inner join annotations
        on
            questions.question_id = annotations.question_id
            and questions.image_id = annotations.image_id

)

select * from final
