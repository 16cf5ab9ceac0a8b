with

texts as (

    select * from {{ ref('clash__texts') }}

),

words as (

    select * from {{ ref('clash__words') }}

),

llm_verdicts as (

    select * from {{ ref('clash__llm_verdicts') }}
    where stage = 'change_check'

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

changes as (

    select
        texts.sample_id,
        texts.change_type,
        coalesce(original_words.subgroup, conflicting_words.subgroup) as lexicon_subgroup,
        original_words.concept as original_concept,
        original_words.forbidden_reason as original_forbidden_reason,
        original_words.categories as original_categories,
        original_words.change_types as original_types,
        conflicting_words.concept as conflicting_concept,
        conflicting_words.forbidden_reason as conflicting_forbidden_reason,
        conflicting_words.categories as conflicting_categories,
        conflicting_words.change_types as conflicting_types,
        {{ list_intersect('original_words.categories', 'conflicting_words.categories') }}
            as common_categories
    from texts
    inner join words as original_words
        on
            texts.sample_id = original_words.sample_id
            and original_words.said_as = 'original'
    inner join words as conflicting_words
        on
            texts.sample_id = conflicting_words.sample_id
            and conflicting_words.said_as = 'conflicting'

),

-- what the rules and lexicons find; a word that no lexicon knows passes
findings as (

    select
        sample_id,
        lexicon_subgroup,
        case
            when {{ list_length('common_categories') }} > 0
                then {{ list_extract('common_categories', 1) }}
            when (original_categories is null) = (conflicting_categories is null) then 'other'
            else coalesce(
                {{ list_extract('original_categories', 1) }},
                {{ list_extract('conflicting_categories', 1) }}
            )
        end as lexicon_category,
        original_categories is not null or conflicting_categories is not null as is_known_change,
        -- the change type is wrong only where the lexicons know both words and neither as that type
        coalesce(
            {{ list_contains('original_types', 'change_type') }}
            or {{ list_contains('conflicting_types', 'change_type') }}, true
        ) as is_of_change_type,
        change_type <> 'attribute'
        or (original_forbidden_reason is null and conflicting_forbidden_reason is null)
            as is_objective,
        coalesce(original_concept <> conflicting_concept, true) as is_no_synonym,
        coalesce(original_forbidden_reason, '') <> 'vague'
        and coalesce(conflicting_forbidden_reason, '') <> 'vague' as is_unambiguous
    from changes

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
                    findings.is_of_change_type
                    and findings.is_objective
                    and findings.is_no_synonym
                    and findings.is_unambiguous
                ))
                and (not policy.hears_llm or coalesce(llm_verdicts.is_passed, true))
        end as is_passed,
        case
            when policy.needs_llm and llm_verdicts.is_passed is null
                then coalesce(llm_verdicts.response_reason, 'response_missing')
        end as response_reason,
        coalesce(llm_verdicts.failed_verdicts, {{ empty_list(dbt.type_string()) }})
            as failed_llm_verdicts,
        findings.lexicon_category,
        findings.lexicon_subgroup,
        findings.is_known_change,
        findings.is_of_change_type,
        findings.is_objective,
        findings.is_no_synonym,
        findings.is_unambiguous,
        llm_verdicts.is_passed as is_llm_passed
    from findings
    cross join policy
    left join llm_verdicts
        on findings.sample_id = llm_verdicts.sample_id

)

select * from final
