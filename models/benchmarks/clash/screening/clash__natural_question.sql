with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

-- a language model writes its own question, and the released ones have theirs
final as (

    select
        sample_id as candidate_id,
        question is not null as is_passed,
        case
            when question is null and not is_fitting then 'no other word fits the caption'
            when question is null then 'no pattern fits the caption'
        end as drop_detail
    from candidates
    where editor = 'rules'

)

select * from final
