-- of a repeated sample the first stays
select
    sample_id,
    image_id,
    source_image_id,
    original_caption,
    conflicting_caption,
    question,
    change_type,
    image_only_answer,
    text_only_answer,
    distractor_answer,
    original_words,
    conflicting_words,
    categories
from {{ ref('stg_clash__samples') }}
where occurrence = 1
