with

-- what the Conflict Suite drops for this, and nothing else, would be a base here
final as (

    select
        base_id as candidate_id,
        drop_detail,
        is_retained as is_passed
    from {{ ref('conflict_suite__screened') }}
    where
        is_retained
        or drop_stage = 'withdrawal'

)

select * from final
