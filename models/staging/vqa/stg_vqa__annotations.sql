with
annotations as {{ computed_where_read() }} (
    select * from {{ source('raw', 'vqa_annotations') }}
),

files as (select * from {{ ref('stg_gainsay__landed_files') }}),

-- few ids come twice, and only their records are put in order
repeated_ids as (
    select question_id
    from annotations
    group by question_id
    having count(*) > 1
),

repetitions as (
    select
        annotations._source_file,
        annotations._position,
        -- by content before position, so that a shuffled file keeps the same record
        row_number() over (
            partition by annotations.question_id
            order by
                files.split_order, annotations.image_id, annotations.multiple_choice_answer,
                annotations.question_type, annotations.answer_type,
                annotations._source_file, annotations._position
        ) as occurrence
    from annotations
    inner join files on annotations._source_file = files.source_file
    inner join repeated_ids using (question_id)
)

select
    annotations.question_id,
    annotations.image_id,
    annotations._source_file as source_file,
    annotations.question_type,
    annotations.answer_type as source_answer_type,
    annotations.multiple_choice_answer,
    annotations.answers,
    annotations._position as file_position,
    coalesce(repetitions.occurrence, 1) as occurrence
from annotations
inner join files on annotations._source_file = files.source_file
left join repetitions using (_source_file, _position)
