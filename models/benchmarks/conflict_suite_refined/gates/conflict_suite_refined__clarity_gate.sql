with

edits as (

    select * from {{ ref('conflict_suite_refined__text_states') }}
    where edited_caption is not null

),

-- a text in no state at all fails by what it was to be
final as (

    select
        edit_id as candidate_id,
        edited_caption,
        possible_answers,
        fitting_states,
        {{ list_length('fitting_states') }} < 2 as is_passed
    from edits

)

select * from final
