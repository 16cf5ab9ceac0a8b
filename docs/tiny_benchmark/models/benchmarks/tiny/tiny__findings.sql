select
    candidates.candidate_id,
    -- there is a picture to ask about
    candidates.source_image_id is not null as passes_picture,
    -- the answer is one of the benchmark's
    answers.answer is not null as passes_answer,
    'it is "' || candidates.answer || '"' as answer_detail
from {{ ref('tiny__candidates') }} as candidates
left join {{ ref('tiny_answers') }} as answers using (answer)
