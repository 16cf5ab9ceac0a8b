with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

change_check as (

    select * from {{ ref('clash__change_check') }}

),

answers_check as (

    select * from {{ ref('clash__answers_check') }}

),

question_check as (

    select * from {{ ref('clash__question_check') }}

),

gates as (

    select * from {{ ref('clash__gates') }}

),

failed_checks as (

    select
        candidate_id,
        'change_check' as stage,
        response_reason
    from change_check
    where is_passed is not true
    union all
    select
        candidate_id,
        'answers_check' as stage,
        response_reason
    from answers_check
    where is_passed is not true
    union all
    select
        candidate_id,
        'question_check' as stage,
        response_reason
    from question_check
    where is_passed is not true

),

-- a sample that an earlier check drops needs no later verdict
ranked_checks as (

    select
        failed_checks.candidate_id,
        failed_checks.response_reason,
        row_number() over (
            partition by failed_checks.candidate_id
            order by gates.stage_order
        ) as place
    from failed_checks
    inner join gates
        on failed_checks.stage = gates.stage

),

-- a candidate without a generated sample, or without its answers, reaches no check
final as (

    select
        candidates.sample_id as candidate_id,
        coalesce(candidates.response_reason, ranked_checks.response_reason) as response_reason
    from candidates
    left join ranked_checks
        on
            candidates.sample_id = ranked_checks.candidate_id
            and ranked_checks.place = 1
    where coalesce(candidates.response_reason, ranked_checks.response_reason) is not null

)

select * from final
