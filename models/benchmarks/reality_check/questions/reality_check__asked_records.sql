-- a view, because it repeats challenges and controls
{{ config(materialized='view') }}

with

challenges as (

    select * from {{ ref('reality_check__challenges') }}

),

controls as (

    select * from {{ ref('reality_check__controls') }}

),

final as (

    select
        challenge_id,
        bias_type,
        question_role,
        template_id,
        slots,
        options,
        answer_format,
        correct_answer,
        false as is_control
    from challenges
    union all
    select
        challenge_id,
        bias_type,
        question_role,
        template_id,
        slots,
        options,
        answer_format,
        correct_answer,
        true as is_control
    from controls

)

select * from final
