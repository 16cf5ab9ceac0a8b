with

questions as (

    select * from {{ source('raw', 'question_set_questions') }}

),

numbered_questions as (

    select
        question_set,
        question_id as question_key,
        _source_file as source_file,
        image as image_file,
        coalesce(
            image_id,
            -- the twelve digits of a COCO file's name
            {{ try_cast_bigint(regexp_extract('image', '[0-9]{12}')) }}
        ) as image_id,
        question,
        label,
        category,
        answers,
        objects,
        is_answerable,
        _position as file_position,
        -- by content before position, so that a shuffled file keeps the same record
        row_number() over (
            partition by question_set, question_id, _source_file
            order by image, image_id, question, _position
        ) as occurrence
    from questions

),

final as (

    select
        question_set,
        question_key,
        source_file,
        case
            when image_id is not null
                then 'coco-' || cast(image_id as {{ dbt.type_string() }})
            else 'file-' || image_file
        end as source_image_id,
        image_file,
        question,
        label,
        category,
        answers,
        objects,
        image_id,
        is_answerable,
        file_position,
        occurrence
    from numbered_questions

)

select * from final
