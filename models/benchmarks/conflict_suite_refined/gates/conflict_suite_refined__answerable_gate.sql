with

edits as (

    select * from {{ ref('conflict_suite_refined__edit_evidence') }}
    where mix_state = 'different'

),

-- any text answers a question about existence; of colours or numbers it must give exactly one
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
