with

verdicts as (

    select * from {{ ref('certainly_uncertain__verdicts') }}

),

final as (

    select
        pair_id as candidate_id,
        is_accepted is not null as is_passed
    from verdicts

)

select * from final
