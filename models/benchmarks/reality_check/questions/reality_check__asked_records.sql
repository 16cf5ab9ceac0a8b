-- a view, because it repeats challenges and controls
{{ config(materialized='view') }}
select
    challenge_id, bias_type, question_role, template_id, slots, options, answer_format,
    correct_answer, false as is_control
from {{ ref('reality_check__challenges') }}
union all
select
    challenge_id, bias_type, question_role, template_id, slots, options, answer_format,
    correct_answer, true as is_control
from {{ ref('reality_check__controls') }}
