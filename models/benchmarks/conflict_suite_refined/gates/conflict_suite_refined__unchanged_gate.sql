with

edits as (

    select * from {{ ref('conflict_suite_refined__edit_evidence') }}
    where edited_caption is not null

),

final as (

    select
        candidate_id,
        caption,
        edited_caption,
        trim(edited_caption) <> trim(caption) as is_passed
    from edits

)

select * from final
