select
    challenge_id,
    language,
    bias_type,
    question_role,
    template_id,
    translator,
    question,
    options,
    answer_format,
    answer,
    answer_text,
    n_english_slots,
    is_right_to_left
from {{ ref('reality_check__record_questions') }}
where not is_control
