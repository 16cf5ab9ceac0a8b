with

verdicts as (

    select * from {{ ref('clash__human_verdicts') }}

),

-- one question that people answer against the sample is enough
final as (

    select
        sample_id as candidate_id,
        min(case when not is_accepted then question end) as drop_detail,
        count(case when not is_accepted then 1 end) = 0 as is_passed,
        cast(max(n_votes) as bigint) as n_human_verdicts,
        cast(min(n_accepting) as bigint) as n_human_accepts
    from verdicts
    group by sample_id

)

select * from final
