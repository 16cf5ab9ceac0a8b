-- a control asks its challenge's question in the same words, and another answer is right
select
    controls.challenge_id,
    controls.correct_text,
    challenges.correct_text as challenge_text
from {{ ref('reality_check__controls') }} as controls
left join {{ ref('reality_check__challenges') }} as challenges
    on controls.control_of = challenges.challenge_id
where
    challenges.challenge_id is null
    or controls.correct_text = challenges.correct_text
    or controls.template_id <> challenges.template_id
    or controls.image_a_id <> challenges.image_a_id
