with
questions as {{ computed_where_read() }} (
    select * from {{ source('raw', 'vqa_questions') }}
),

files as (select * from {{ ref('stg_gainsay__landed_files') }}),

-- few ids come twice, and only their records are put in order
repeated_ids as (
    select question_id
    from questions
    group by question_id
    having count(*) > 1
),

repetitions as (
    select
        questions._source_file,
        questions._position,
        -- by content before position, so that a shuffled file keeps the same record
        row_number() over (
            partition by questions.question_id
            order by
                files.split_order, questions.image_id, questions.question,
                questions._source_file, questions._position
        ) as occurrence
    from questions
    inner join files on questions._source_file = files.source_file
    inner join repeated_ids using (question_id)
)

select
    questions.question_id,
    questions.image_id,
    'coco-' || cast(questions.image_id as string) as source_image_id,
    questions._source_file as source_file,
    files.split as source_split,
    questions.question,
    questions._position as file_position,
    coalesce(repetitions.occurrence, 1) as occurrence
from questions
inner join files on questions._source_file = files.source_file
left join repetitions using (_source_file, _position)
