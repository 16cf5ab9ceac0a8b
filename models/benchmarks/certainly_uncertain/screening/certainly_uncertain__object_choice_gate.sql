-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}

),

final as (

    select
        pair_id as candidate_id,
        is_good_question,
        is_good_question as is_passed
    from candidates

)

select * from final
