with
questions as (
    select * from {{ ref('stg_vqa__questions') }}
    where occurrence = 1
),

annotations as (
    select * from {{ ref('stg_vqa__annotations') }}
    where occurrence = 1
)

-- an annotation counts only if it names the same image as its question
select
    questions.question_id, questions.image_id, questions.source_image_id, questions.source_split,
    questions.question, annotations.multiple_choice_answer,
    annotations.question_id is not null as is_annotated
from questions
left join annotations using (question_id, image_id)
