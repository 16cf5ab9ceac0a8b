with

record_questions as (

    select * from {{ ref('reality_check__record_questions') }}

),

final as (

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
    from record_questions
    where is_control

)

select * from final
