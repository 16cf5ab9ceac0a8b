-- a view, because the candidates hold the finding already
{{ config(materialized='view') }}

with

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}

),

final as (

    select
        question_id,
        is_annotated as is_passed
    from candidates

)

select * from final
