with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

-- an occlusion that hides a share between the two is in neither state
picture_states as (

    select
        candidate_id,
        covered_share,
        case
            when covered_share >= {{ var('occlusions_answerable_no_more_share') }} then 'irrelevant'
            when covered_share <= {{ var('occlusions_still_answerable_share') }} then 'clean'
        end as image_state
    from coverage

),

final as (

    select
        candidate_id,
        image_state,
        covered_share,
        image_state is not null as is_passed
    from picture_states

)

select * from final
