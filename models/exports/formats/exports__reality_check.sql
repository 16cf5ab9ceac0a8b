-- Yes and No of an exported task: depends_on: {{ ref('reality_check_answer_forms') }}
with
questions as (
    select * from {{ ref('exports__reality_check_questions') }}
    where picture_state = 'available'
)

select
    benchmark, example_id, challenge_id, language, bias_type, combination, question_role,
    difficulty, split, answer_format, question, options, prompt, target, answer_text, distractors,
    record_version, license_name, license_url, image_a, image_a_path, image_a_archive, image_b,
    image_b_path, image_b_archive, image_c, image_c_path, image_c_archive, is_right_to_left
from questions
