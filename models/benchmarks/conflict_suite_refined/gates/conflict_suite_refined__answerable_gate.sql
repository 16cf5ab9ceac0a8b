with

edits as (

    select * from {{ ref('conflict_suite_refined__text_states') }}
    where mix_state = 'different' and edited_caption is not null

),

final as (

    select
        edit_id as candidate_id,
        said_answer,
        answer_gap as drop_detail,
        coalesce(text_state = 'different', false) as is_passed
    from edits

)

select * from final
