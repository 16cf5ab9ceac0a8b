with

missing_responses as (

    select * from {{ ref('certainly_uncertain__missing_responses') }}

),

final as (

    select
        candidate_id,
        response_reason <> 'response_refused' as is_passed
    from missing_responses

)

select * from final
