with
text_findings as (select * from {{ ref('clash__text_findings') }}),

policy as (
    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'
),

-- the verdict of rules and lexicons on the change, the answers and the question
rule_verdicts as (
    select
        candidate_id, 'change_check' as stage,
        is_of_change_type and is_objective and is_no_synonym and is_unambiguous as is_passed
    from text_findings
    union all
    select
        candidate_id, 'answers_check' as stage,
        are_answers_no_synonyms and are_answers_unambiguous as is_passed
    from text_findings
    union all
    select
        candidate_id, 'question_check' as stage,
        is_question_clear and is_question_focused and is_question_open as is_passed
    from text_findings
),

-- the policy decides whether the rules count, the language model, or both; where it needs the
-- model's verdict and no verdict was given, the check neither passes nor fails
checks as (
    select
        rule_verdicts.candidate_id, rule_verdicts.stage, gates.stage_order,
        case
            when policy.needs_llm and llm_verdicts.is_passed is null
                then coalesce(llm_verdicts.response_reason, 'response_missing')
        end as response_reason,
        coalesce(llm_verdicts.failed_verdicts, {{ empty_list('string') }})
            as failed_verdicts,
        llm_verdicts.is_passed as is_llm_passed,
        case
            when policy.needs_llm and llm_verdicts.is_passed is null then null
            else
                (not policy.hears_rules or rule_verdicts.is_passed)
                and (not policy.hears_llm or coalesce(llm_verdicts.is_passed, true))
        end as is_passed
    from rule_verdicts
    inner join {{ ref('clash__gates') }} as gates using (stage)
    cross join policy
    left join {{ ref('clash__llm_verdicts') }} as llm_verdicts
        on
            rule_verdicts.candidate_id = llm_verdicts.sample_id
            and rule_verdicts.stage = llm_verdicts.stage
),

-- a sample that an earlier check drops needs no later verdict
ranked_checks as (
    select
        candidate_id, response_reason,
        row_number() over (partition by candidate_id order by stage_order) as place
    from checks
    where is_passed is not true
),

findings as (
    select
        candidates.sample_id, candidates.editor, candidates.question, candidates.is_fitting,
        candidates.dispute,
        -- a candidate without a generated sample, or without its answers, reaches no check
        coalesce(candidates.response_reason, ranked_checks.response_reason) as response_reason,
        {{ list_concat('change_check.failed_verdicts', list_concat(
            'answers_check.failed_verdicts', 'question_check.failed_verdicts'
        )) }} as failed_llm_verdicts,
        change_check.is_llm_passed as is_llm_change_passed,
        answers_check.is_llm_passed as are_llm_answers_passed,
        question_check.is_llm_passed as is_llm_question_passed,
        change_check.is_passed as is_change_passed,
        answers_check.is_passed as are_answers_passed,
        question_check.is_passed as is_question_passed,
        withdrawn_images.source_image_id is not null as is_withdrawn,
        withdrawn_images.reason as withdrawal_reason
    from {{ ref('clash__candidates') }} as candidates
    left join checks as change_check
        on
            candidates.sample_id = change_check.candidate_id
            and change_check.stage = 'change_check'
    left join checks as answers_check
        on
            candidates.sample_id = answers_check.candidate_id
            and answers_check.stage = 'answers_check'
    left join checks as question_check
        on
            candidates.sample_id = question_check.candidate_id
            and question_check.stage = 'question_check'
    left join ranked_checks
        on candidates.sample_id = ranked_checks.candidate_id and ranked_checks.place = 1
    left join {{ ref('stg_gainsay__withdrawn_images') }} as withdrawn_images using (source_image_id)
)

select
    sample_id as candidate_id,
    response_reason,
    coalesce(failed_llm_verdicts, {{ empty_list('string') }}) as failed_llm_verdicts,
    is_llm_change_passed, are_llm_answers_passed, is_llm_question_passed,
    -- the sample, its answers and the verdicts that the policy needs came,
    response_reason <> 'response_missing' as passes_response,
    -- the language model refused none of them,
    response_reason <> 'response_refused' as passes_refusal,
    -- and each fits the schema of its task
    response_reason <> 'response_invalid' as passes_validity,
    -- the change is one of its kind, objective, and not another word for the same
    is_change_passed as passes_change_check,
    -- the three answers mean different things and none is vague
    are_answers_passed as passes_answers_check,
    -- two captions of the picture say what it shows, and none says otherwise
    case when editor = 'rules' then question is not null or dispute is null end
        as passes_agreement,
    case when question is null then dispute end as agreement_detail,
    -- the rules have a natural question for their edit; a language model writes its own, and
    -- the released samples have theirs
    case when editor = 'rules' then question is not null end as passes_natural_question,
    case
        when editor = 'rules' and question is null and not is_fitting
            then 'no other word fits the caption'
        when editor = 'rules' and question is null then 'no pattern fits the caption'
    end as natural_question_detail,
    -- the question is a whole one, names neither answer, and asks for more than yes or no
    is_question_passed as passes_question_check,
    -- the picture was not taken down
    not is_withdrawn as passes_withdrawal,
    withdrawal_reason as withdrawal_detail
from findings
