with
-- a picture is known by its place in the folder that was landed, and these files by its name
pictures as (
    select file_name, min(source_image_id) as source_image_id
    from {{ ref('stg_images__files') }}
    where image_id is null
    group by file_name
),

numbered_questions as (
    select
        question_set,
        question_id as question_key,
        _source_file as source_file,
        image as image_file,
        {{ coco_id_of_question() }} as image_id,
        question, label, category, answers, answer_confidences, objects, is_answerable,
        _position as file_position,
        -- by content before position, so that a shuffled file keeps the same record
        row_number() over (
            partition by question_set, question_id, _source_file
            order by image, image_id, question, _position
        ) as occurrence
    from {{ source('raw', 'question_set_questions') }}
)

select
    numbered_questions.question_set, numbered_questions.question_key,
    numbered_questions.source_file,
    case
        when numbered_questions.image_id is not null
            then 'coco-' || cast(numbered_questions.image_id as string)
        else coalesce(pictures.source_image_id, 'file-' || numbered_questions.image_file)
    end as source_image_id,
    numbered_questions.image_file, numbered_questions.question, numbered_questions.label,
    numbered_questions.category, numbered_questions.answers, numbered_questions.answer_confidences,
    numbered_questions.objects, numbered_questions.image_id, numbered_questions.is_answerable,
    numbered_questions.file_position, numbered_questions.occurrence
from numbered_questions
left join pictures on numbered_questions.image_file = pictures.file_name
