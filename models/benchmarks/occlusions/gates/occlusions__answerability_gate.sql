with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

absence_answers as (

    select * from {{ ref('occlusions_absence_answers') }}

),

-- an occlusion that hides a share between the two is in neither state
picture_shares as (

    select
        coverage.candidate_id,
        coverage.covered_share,
        bases.gold_answer,
        absence_answers.answer as absence_answer,
        coalesce(
            coverage.covered_share >= {{ var('occlusions_answerable_no_more_share') }}, false
        ) as is_hidden,
        coalesce(
            coverage.covered_share <= {{ var('occlusions_still_answerable_share') }}, false
        ) as is_shown
    from coverage
    left join bases
        on coverage.base_id = bases.base_id
    left join absence_answers
        on
            coverage.family = absence_answers.operator
            and bases.answer_type = absence_answers.answer_type

),

-- what is painted over looks as if it were not there: none, and no
picture_states as (

    select
        candidate_id,
        covered_share,
        case
            when is_hidden and absence_answer is not null then 'different'
            when is_hidden then 'irrelevant'
            when is_shown then 'clean'
        end as image_state,
        case
            when is_hidden then absence_answer
            when is_shown then gold_answer
        end as image_supported_target
    from picture_shares

),

final as (

    select
        candidate_id,
        image_state,
        image_supported_target,
        covered_share,
        image_state is not null as is_passed
    from picture_states

)

select * from final
