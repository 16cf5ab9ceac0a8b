with

picture_states as (

    select * from {{ ref('occlusions__answerability_gate') }}

),

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

-- a picture made to answer otherwise that answers as the gold answer does shows nothing
final as (

    select
        picture_states.candidate_id,
        picture_states.image_supported_target as drop_detail,
        picture_states.image_state <> 'different'
        or picture_states.image_supported_target <> bases.gold_answer as is_passed
    from picture_states
    inner join coverage
        on picture_states.candidate_id = coverage.candidate_id
    inner join bases
        on coverage.base_id = bases.base_id

)

select * from final
