with

edits as (

    select * from {{ ref('conflict_suite_refined__text_states') }}
    where text_source = 'refined_edit' and edited_caption is not null

),

final as (

    select
        edit_id as candidate_id,
        caption,
        edited_caption,
        trim(edited_caption) <> trim(caption) as is_passed
    from edits

)

select * from final
