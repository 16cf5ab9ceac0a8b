with

edits as (

    select * from {{ ref('conflict_suite_refined__edit_evidence') }}
    where mix_state = 'different'

),

-- existence is answered by any text; a colour or a number must be one and only one
final as (

    select
        candidate_id,
        edited_caption,
        new_answers,
        edited_caption is not null
        and (answer_type = 'boolean' or {{ list_length('new_answers') }} = 1) as is_passed
    from edits

)

select * from final
