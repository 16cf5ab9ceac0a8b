-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

candidates as (

    select * from {{ ref('certainly_uncertain__removals') }}

),

final as (

    select
        pair_id as candidate_id,
        area_share,
        area_share <= {{ var('certainly_uncertain_removed_area_max') }} as is_passed
    from candidates

)

select * from final
