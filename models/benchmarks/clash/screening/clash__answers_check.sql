with

words as (

    select * from {{ ref('clash__words') }}

),

llm_verdicts as (

    select * from {{ ref('clash__llm_verdicts') }}
    where stage = 'answers_check'

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

-- answers mean the same by the lexicon, or by their words where it does not know them
findings as (

    select
        sample_id,
        count(distinct coalesce(concept, word)) = count(*) as are_answers_no_synonyms,
        count(case when forbidden_reason = 'vague' then 1 end) = 0 as are_answers_unambiguous
    from words
    where said_as in ('image_only', 'text_only', 'distractor')
    group by sample_id

),

-- the policy decides whether the rules count, the language model, or both; where it needs the
-- model's verdict and there is none, the candidate does not pass
final as (

    select
        findings.sample_id as candidate_id,
        case
            when policy.needs_llm and llm_verdicts.is_passed is null then null
            else
                (
                    not policy.hears_rules
                    or (findings.are_answers_no_synonyms and findings.are_answers_unambiguous)
                )
                and (not policy.hears_llm or coalesce(llm_verdicts.is_passed, true))
        end as is_passed,
        case
            when policy.needs_llm and llm_verdicts.is_passed is null
                then coalesce(llm_verdicts.response_reason, 'response_missing')
        end as response_reason,
        coalesce(llm_verdicts.failed_verdicts, {{ empty_list(dbt.type_string()) }})
            as failed_llm_verdicts,
        findings.are_answers_no_synonyms,
        findings.are_answers_unambiguous,
        llm_verdicts.is_passed as is_llm_passed
    from findings
    cross join policy
    left join llm_verdicts
        on findings.sample_id = llm_verdicts.sample_id

)

select * from final
