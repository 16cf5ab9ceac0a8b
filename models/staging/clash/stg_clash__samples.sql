select
    {{ clash_sample_id('image_id', 'question') }} as sample_id,
    image_id,
    'coco-' || cast(image_id as string) as source_image_id,
    _source_file as source_file,
    original_caption, conflicting_caption, question, change_type, image_only_answer,
    text_only_answer, distractor_answer, original_words, conflicting_words, categories,
    _position as file_position,
    -- by content before position, so that a shuffled file keeps the same record
    row_number() over (
        partition by image_id, question
        order by
            conflicting_caption, image_only_answer, text_only_answer, distractor_answer,
            _source_file, _position
    ) as occurrence
from {{ source('raw', 'clash_samples') }}
