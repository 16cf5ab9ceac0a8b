with

edits as (

    select * from {{ ref('conflict_suite_refined__edit_evidence') }}
    where mix_state = 'irrelevant'

),

final as (

    select
        candidate_id,
        edited_caption,
        edited_evidence,
        edited_caption is not null and {{ list_length('edited_evidence') }} = 0 as is_passed
    from edits

)

select * from final
