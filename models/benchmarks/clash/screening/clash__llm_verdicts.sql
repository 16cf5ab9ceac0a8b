with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

outcomes as (

    select * from {{ ref('llm__outcomes') }}

),

verdicts as (

    select * from {{ ref('clash_verdicts') }}

),

stages as (

    select distinct
        stage,
        task
    from verdicts

),

-- a request counts that quotes the sample as it is now; of several an answered one, then the
-- latest
asked as (

    select
        candidates.sample_id,
        candidates.change_type,
        stages.stage,
        stages.task,
        outcomes.custom_id,
        outcomes.reason,
        outcomes.answer,
        row_number() over (
            partition by candidates.sample_id, stages.stage
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from candidates
    inner join outcomes
        on candidates.sample_id = outcomes.input_id
    inner join stages
        on outcomes.task = stages.task
    where
        case
            when stages.stage = 'change_check'
                then
                    contains(outcomes.request_text, candidates.original_caption)
                    and contains(outcomes.request_text, candidates.conflicting_caption)
            else
                contains(outcomes.request_text, candidates.question)
                and contains(outcomes.request_text, candidates.image_only_answer)
                and contains(outcomes.request_text, candidates.text_only_answer)
                and contains(outcomes.request_text, candidates.distractor_answer)
        end

),

-- the verdicts that are asked of such a change and are not true
failed as (

    select
        asked.sample_id,
        asked.stage,
        {{ array_agg('verdicts.field', order_by='verdicts.field') }} as failed_verdicts
    from asked
    inner join verdicts
        on
            asked.task = verdicts.task
            and verdicts.change_type in ('any', asked.change_type)
    where
        asked.preference = 1
        and {{ json_extract_string('asked.answer', "$.' || verdicts.field || '") }} = 'false'
    group by asked.sample_id, asked.stage

),

final as (

    select
        asked.sample_id,
        asked.stage,
        asked.custom_id,
        asked.reason as response_reason,
        coalesce(failed.failed_verdicts, {{ empty_list(dbt.type_string()) }})
            as failed_verdicts,
        case when asked.reason is null then failed.sample_id is null end as is_passed
    from asked
    left join failed
        on
            asked.sample_id = failed.sample_id
            and asked.stage = failed.stage
    where asked.preference = 1

)

select * from final
