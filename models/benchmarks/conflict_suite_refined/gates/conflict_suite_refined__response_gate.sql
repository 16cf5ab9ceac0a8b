with

edits as (

    select * from {{ ref('conflict_suite_refined__text_states') }}

),

final as (

    select
        edit_id as candidate_id,
        response_reason,
        coalesce(response_reason <> 'response_missing', true) as is_passed
    from edits

)

select * from final
