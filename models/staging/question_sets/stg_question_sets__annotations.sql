select
    question_set,
    question_id as question_key,
    _source_file as source_file,
    question_type, answer_type, answers, image_id,
    _position as file_position,
    -- by content before position, so that a shuffled file keeps the same record
    row_number() over (
        partition by question_set, question_id
        order by image_id, question_type, answer_type, _source_file, _position
    ) as occurrence
from {{ source('raw', 'question_set_annotations') }}
