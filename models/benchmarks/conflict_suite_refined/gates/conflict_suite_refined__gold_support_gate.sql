with

edits as (

    select * from {{ ref('conflict_suite_refined__edit_evidence') }}
    where mix_state = 'different'

),

final as (

    select
        candidate_id,
        gold_answer,
        edited_evidence,
        not is_gold_supported as is_passed
    from edits

)

select * from final
