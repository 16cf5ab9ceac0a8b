with

verdicts as (

    select * from {{ ref('certainly_uncertain__verdicts') }}

),

-- a tie is for the gate `undecided`
final as (

    select
        pair_id as candidate_id,
        case when not is_accepted then verdict end as drop_detail,
        is_accepted as is_passed
    from verdicts

)

select * from final
