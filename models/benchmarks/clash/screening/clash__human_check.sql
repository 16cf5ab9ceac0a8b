with

verdicts as (

    select * from {{ ref('clash__human_verdicts') }}

),

counted_verdicts as (

    select
        sample_id,
        count(*) as n_human_verdicts,
        count(case when is_accepted then 1 end) as n_human_accepts
    from verdicts
    group by sample_id

),

-- a tie of votes rejects the sample
final as (

    select
        sample_id as candidate_id,
        n_human_accepts * 2 > n_human_verdicts as is_passed,
        n_human_verdicts,
        n_human_accepts
    from counted_verdicts

)

select * from final
