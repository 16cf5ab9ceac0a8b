with

verdicts as (

    select * from {{ ref('clash__human_verdicts') }}

),

final as (

    select
        sample_id as candidate_id,
        min(case when is_accepted is null then question end) as drop_detail,
        count(is_accepted) = count(*) as is_passed
    from verdicts
    group by sample_id

)

select * from final
