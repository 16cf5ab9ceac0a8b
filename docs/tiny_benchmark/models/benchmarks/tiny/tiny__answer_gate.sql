with

candidates as (

    select * from {{ ref('tiny__candidates') }}

),

answers as (

    select * from {{ ref('tiny_answers') }}

),

final as (

    select
        candidates.candidate_id,
        answers.answer is not null as is_passed,
        'it is "' || candidates.answer || '"' as drop_detail
    from candidates
    left join answers
        on candidates.answer = answers.answer

)

select * from final
