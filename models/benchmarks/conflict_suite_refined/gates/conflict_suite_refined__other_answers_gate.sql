with

edits as (

    select * from {{ ref('conflict_suite_refined__text_states') }}
    where mix_state = 'irrelevant' and edited_caption is not null

),

final as (

    select
        edit_id as candidate_id,
        possible_answers,
        coalesce(text_state = 'irrelevant', false) as is_passed
    from edits

)

select * from final
