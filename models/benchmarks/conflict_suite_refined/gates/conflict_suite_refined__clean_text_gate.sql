with

edits as (

    select * from {{ ref('conflict_suite_refined__text_states') }}
    where mix_state = 'clean' and edited_caption is not null

),

final as (

    select
        edit_id as candidate_id,
        gold_answer,
        said_answer,
        answer_gap as drop_detail,
        coalesce(text_state = 'clean', false) as is_passed
    from edits

)

select * from final
