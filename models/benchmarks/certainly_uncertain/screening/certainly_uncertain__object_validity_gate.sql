-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}

),

final as (

    select
        pair_id as candidate_id,
        response_reason,
        response_reason <> 'response_invalid' as is_passed
    from candidates

)

select * from final
