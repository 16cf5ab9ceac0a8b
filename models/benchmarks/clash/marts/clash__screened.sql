with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

evidence as (

    select * from {{ ref('clash__evidence') }}

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

llm_verdicts as (

    select * from {{ ref('clash__llm_verdicts') }}

),

-- a tie of people rejects
people as (

    select
        sample_id,
        count(*) as n_human_verdicts,
        count(case when is_accepted then 1 end) as n_human_accepts,
        count(case when is_accepted then 1 end) * 2 > count(*) as is_accepted
    from {{ ref('clash__human_verdicts') }}
    group by sample_id

),

-- what rules and lexicons say of each filter, and a language model as far as it was asked; a
-- request that made no sample has nothing to say anything of
judged as (

    select
        evidence.*,
        candidates.sample_id as candidate_id,
        candidates.response_reason,
        evidence.has_image_answer and evidence.has_text_answer
        and evidence.has_changed_words and evidence.is_one_span
        and evidence.is_distractor_absent and evidence.are_answers_distinct
        and evidence.are_stems_distinct as is_rule_check_passed,
        evidence.is_of_change_type and evidence.is_objective
        and evidence.is_no_synonym and evidence.is_unambiguous as is_change_passed,
        evidence.are_answers_no_synonyms and evidence.are_answers_unambiguous
            as are_answers_passed,
        evidence.is_question_clear and evidence.is_question_focused
        and evidence.is_question_open as is_question_passed,
        change_verdicts.is_passed as is_llm_change_passed,
        answers_verdicts.is_passed as are_llm_answers_passed,
        question_verdicts.is_passed as is_llm_question_passed,
        case
            when change_verdicts.is_passed is null
                then coalesce(change_verdicts.response_reason, 'response_missing')
        end as change_response_reason,
        case
            when answers_verdicts.is_passed is null
                then coalesce(answers_verdicts.response_reason, 'response_missing')
        end as answers_response_reason,
        case
            when question_verdicts.is_passed is null
                then coalesce(question_verdicts.response_reason, 'response_missing')
        end as question_response_reason,
        {{ list_concat(
            list_concat(
                "coalesce(change_verdicts.failed_verdicts, "
                ~ empty_list(dbt.type_string()) ~ ")",
                "coalesce(answers_verdicts.failed_verdicts, "
                ~ empty_list(dbt.type_string()) ~ ")"
            ),
            "coalesce(question_verdicts.failed_verdicts, "
            ~ empty_list(dbt.type_string()) ~ ")"
        ) }} as failed_llm_verdicts,
        coalesce(people.n_human_verdicts, 0) as n_human_verdicts,
        coalesce(people.n_human_accepts, 0) as n_human_accepts,
        coalesce(people.is_accepted, true) as is_human_check_passed
    from candidates
    left join evidence
        on candidates.sample_id = evidence.sample_id
    left join llm_verdicts as change_verdicts
        on
            evidence.sample_id = change_verdicts.sample_id
            and change_verdicts.stage = 'change_check'
    left join llm_verdicts as answers_verdicts
        on
            evidence.sample_id = answers_verdicts.sample_id
            and answers_verdicts.stage = 'answers_check'
    left join llm_verdicts as question_verdicts
        on
            evidence.sample_id = question_verdicts.sample_id
            and question_verdicts.stage = 'question_check'
    left join people
        on evidence.sample_id = people.sample_id

),

-- the first failing check wins; a sample without answers has nothing to check
reasoned as (

    select
        judged.*,
        case
            when judged.response_reason is not null then judged.response_reason
            when not judged.is_rule_check_passed then 'rule_check_failed'
            when policy.needs_llm and judged.change_response_reason is not null
                then judged.change_response_reason
            when
                (policy.hears_rules and not judged.is_change_passed)
                or (policy.hears_llm and not coalesce(judged.is_llm_change_passed, true))
                then 'change_check_failed'
            when policy.needs_llm and judged.answers_response_reason is not null
                then judged.answers_response_reason
            when
                (policy.hears_rules and not judged.are_answers_passed)
                or (policy.hears_llm and not coalesce(judged.are_llm_answers_passed, true))
                then 'answers_check_failed'
            when policy.needs_llm and judged.question_response_reason is not null
                then judged.question_response_reason
            when
                (policy.hears_rules and not judged.is_question_passed)
                or (policy.hears_llm and not coalesce(judged.is_llm_question_passed, true))
                then 'question_check_failed'
            when not judged.is_human_check_passed then 'human_check_failed'
        end as drop_reason
    from judged
    cross join policy

),

images as (

    select * from {{ ref('images__source_images') }}

),

gates as (

    select * from {{ ref('clash__gates') }}

),

final as (

    select
        candidates.sample_id,
        candidates.origin,
        candidates.editor,
        candidates.image_id,
        candidates.source_image_id,
        candidates.original_caption,
        candidates.conflicting_caption,
        candidates.question,
        candidates.change_type,
        candidates.image_only_answer,
        candidates.text_only_answer,
        candidates.distractor_answer,
        candidates.original_words,
        candidates.conflicting_words,
        candidates.categories,
        {{ list_extract('candidates.categories', 1) }} as category,
        reasoned.lexicon_category,
        reasoned.failed_llm_verdicts,
        gates.stage as drop_stage,
        reasoned.drop_reason,
        reasoned.n_human_verdicts,
        reasoned.n_human_accepts,
        reasoned.has_image_answer,
        reasoned.has_text_answer,
        reasoned.has_changed_words,
        reasoned.is_one_span,
        reasoned.is_distractor_absent,
        reasoned.are_answers_distinct,
        reasoned.are_stems_distinct,
        reasoned.is_known_change,
        reasoned.is_of_change_type,
        reasoned.is_objective,
        reasoned.is_no_synonym,
        reasoned.is_unambiguous,
        reasoned.are_answers_no_synonyms,
        reasoned.are_answers_unambiguous,
        reasoned.is_question_clear,
        reasoned.is_question_focused,
        reasoned.is_question_open,
        reasoned.is_llm_change_passed,
        reasoned.are_llm_answers_passed,
        reasoned.is_llm_question_passed,
        candidates.sample_id as candidate_id,
        'clash' as screening,
        candidates.change_type as family,
        cast(null as bigint) as question_id,
        coalesce(images.file_name, candidates.source_image_id) as image_file,
        candidates.text_only_answer as answer,
        candidates.image_only_answer as gold_answer,
        case
            when candidates.question is null then {{ empty_list(dbt.type_string()) }}
            else {{ list_value('candidates.original_words', 'candidates.conflicting_words') }}
        end as evidence_words,
        case
            when candidates.question is null then {{ list_value('candidates.original_caption') }}
            else {{ list_value('candidates.original_caption', 'candidates.conflicting_caption') }}
        end as texts_seen,
        cast(null as {{ dbt.type_string() }}) as drop_detail,
        reasoned.drop_reason is null as is_retained
    from candidates
    inner join reasoned
        on candidates.sample_id = reasoned.candidate_id
    left join images
        on candidates.source_image_id = images.source_image_id
    left join gates
        on reasoned.drop_reason = gates.reason

)

select * from final
