with

caption_questions as (

    select
        base_id as text_id,
        question,
        caption as text
    from {{ ref('conflict_suite__bases') }}

),

final as (

    {{ text_readings('caption_questions') }}

)

select
    text_id as base_id,
    family,
    asked_noun,
    question_gap,
    answer,
    answer_gap,
    named_colors,
    named_numbers,
    number_said,
    n_mentions,
    is_asserted,
    is_denied
from final
