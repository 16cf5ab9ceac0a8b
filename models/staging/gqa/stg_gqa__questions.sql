select
    question_id as gqa_question_id,
    image_id as gqa_image_id,
    'gqa-' || image_id as source_image_id,
    _source_file as source_file,
    question, answer, full_answer, structural_type, semantic_type, detailed_type, question_objects,
    program, is_balanced,
    _position as file_position,
    -- the balanced questions are among all, and by content before position, so that a
    -- shuffled file keeps the same record
    row_number() over (
        partition by question_id
        order by image_id, question, answer, _source_file, _position
    ) as occurrence
from {{ source('raw', 'gqa_questions') }}
