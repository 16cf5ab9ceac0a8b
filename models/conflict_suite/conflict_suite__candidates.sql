with

questions as (

    select * from {{ ref('stg_vqa__questions') }}
    where occurrence = 1

),

annotations as (

    select * from {{ ref('stg_vqa__annotations') }}
    where occurrence = 1

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- an annotation that speaks of another image than its question is no annotation of it
final as (

    select
        questions.question_id,
        questions.image_id,
        questions.source_image_id,
        questions.source_split,
        coalesce(
            images.file_name,
            'COCO_' || questions.source_split || '2014_'
            || lpad(cast(questions.image_id as {{ dbt.type_string() }}), 12, '0') || '.jpg'
        ) as image_file,
        questions.question,
        {{ normalized_text('questions.question') }} as question_normalized,
        annotations.multiple_choice_answer,
        {{ normalized_text('annotations.multiple_choice_answer') }} as answer_normalized,
        annotations.question_id is not null as is_annotated
    from questions
    left join annotations
        on
            questions.question_id = annotations.question_id
            and questions.image_id = annotations.image_id
    left join images
        on questions.source_image_id = images.source_image_id

)

select * from final
