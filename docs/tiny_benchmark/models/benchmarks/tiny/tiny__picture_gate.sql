with

candidates as (

    select * from {{ ref('tiny__candidates') }}

),

final as (

    select
        candidate_id,
        source_image_id is not null as is_passed
    from candidates

)

select * from final
