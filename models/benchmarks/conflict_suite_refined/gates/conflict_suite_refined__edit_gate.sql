with

edits as (

    select * from {{ ref('conflict_suite_refined__text_states') }}
    where response_reason is null

),

final as (

    select
        edit_id as candidate_id,
        edit_kind,
        edited_caption is not null as is_passed
    from edits

)

select * from final
