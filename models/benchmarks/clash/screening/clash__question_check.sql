with

texts as (

    select * from {{ ref('clash__texts') }}

),

closed_openings as (

    select * from {{ ref('clash_closed_openings') }}

),

llm_verdicts as (

    select * from {{ ref('clash__llm_verdicts') }}
    where stage = 'question_check'

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

findings as (

    select
        texts.sample_id,
        texts.has_question_mark
        and texts.n_question_tokens >= {{ var('clash_question_min_tokens') }} as is_question_clear,
        texts.question_text not like '% ' || texts.image_only_plain || ' %'
        and texts.question_text not like '% ' || texts.text_only_plain || ' %'
            as is_question_focused,
        closed_openings.opening is null as is_question_open
    from texts
    left join closed_openings
        on texts.question_opening = closed_openings.opening

),

-- the policy decides whether the rules count, the language model, or both; where it needs the
-- model's verdict and there is none, the candidate does not pass
final as (

    select
        findings.sample_id as candidate_id,
        case
            when policy.needs_llm and llm_verdicts.is_passed is null then null
            else
                (not policy.hears_rules or (
                    findings.is_question_clear
                    and findings.is_question_focused
                    and findings.is_question_open
                ))
                and (not policy.hears_llm or coalesce(llm_verdicts.is_passed, true))
        end as is_passed,
        case
            when policy.needs_llm and llm_verdicts.is_passed is null
                then coalesce(llm_verdicts.response_reason, 'response_missing')
        end as response_reason,
        coalesce(llm_verdicts.failed_verdicts, {{ empty_list(dbt.type_string()) }})
            as failed_llm_verdicts,
        findings.is_question_clear,
        findings.is_question_focused,
        findings.is_question_open,
        llm_verdicts.is_passed as is_llm_passed
    from findings
    cross join policy
    left join llm_verdicts
        on findings.sample_id = llm_verdicts.sample_id

)

select * from final
