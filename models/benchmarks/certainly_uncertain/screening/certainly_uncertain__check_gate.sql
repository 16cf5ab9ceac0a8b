with

verdicts as (

    select * from {{ ref('certainly_uncertain__check_verdicts') }}

),

final as (

    select
        pair_id as candidate_id,
        case
            when not is_answerable then 'is_answerable'
            when not is_answer_right then 'is_answer_right'
            when not is_open then 'is_open'
            when not is_category_right then 'is_category_right'
        end as drop_detail,
        is_answerable and is_answer_right and is_open and is_category_right as is_passed
    from verdicts
    where response_reason is null

)

select * from final
