with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

rule_check as (

    select * from {{ ref('clash__rule_check') }}

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

human_check as (

    select * from {{ ref('clash__human_check') }}

),

subgroups as (

    select * from {{ ref('clash_subgroups') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

first_failures as (

    {{ first_failed_gate('clash', dict(
        sample_gates(),
        spatial_quota='clash__spatial_quota',
        human_check='clash__human_check',
        undecided='clash__undecided',
        withdrawal='clash__withdrawal'
    ), with_detail=['natural_question', 'human_check', 'undecided', 'withdrawal']) }}

),

failed_verdicts as (

    select
        change_check.candidate_id,
        change_check.failed_llm_verdicts as failed_change_verdicts,
        {{ list_concat(
            'answers_check.failed_llm_verdicts', 'question_check.failed_llm_verdicts'
        ) }} as failed_later_verdicts
    from change_check
    inner join answers_check
        on change_check.candidate_id = answers_check.candidate_id
    inner join question_check
        on change_check.candidate_id = question_check.candidate_id

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
        change_check.lexicon_category,
        coalesce(subgroups.subgroup, change_check.lexicon_subgroup) as subgroup,
        case when candidates.change_type = 'relation' then candidates.subcategory end as relation,
        candidates.question_pattern,
        coalesce(
            {{ list_concat(
                'failed_verdicts.failed_change_verdicts', 'failed_verdicts.failed_later_verdicts'
            ) }},
            {{ empty_list(dbt.type_string()) }}
        ) as failed_llm_verdicts,
        first_failures.drop_stage,
        first_failures.drop_reason,
        coalesce(human_check.n_human_verdicts, 0) as n_human_verdicts,
        coalesce(human_check.n_human_accepts, 0) as n_human_accepts,
        rule_check.has_image_answer,
        rule_check.has_text_answer,
        rule_check.has_changed_words,
        rule_check.is_one_span,
        rule_check.is_distractor_absent,
        rule_check.are_answers_distinct,
        rule_check.are_stems_distinct,
        change_check.is_known_change,
        change_check.is_of_change_type,
        change_check.is_objective,
        change_check.is_no_synonym,
        change_check.is_unambiguous,
        answers_check.are_answers_no_synonyms,
        answers_check.are_answers_unambiguous,
        question_check.is_question_clear,
        question_check.is_question_focused,
        question_check.is_question_open,
        change_check.is_llm_passed as is_llm_change_passed,
        answers_check.is_llm_passed as are_llm_answers_passed,
        question_check.is_llm_passed as is_llm_question_passed,
        candidates.sample_id as candidate_id,
        'clash' as screening,
        candidates.change_type as family,
        cast(null as bigint) as question_id,
        coalesce(images.file_name, candidates.source_image_id) as image_file,
        candidates.text_only_answer as answer,
        candidates.image_only_answer as gold_answer,
        {{ list_value('candidates.original_words', 'candidates.conflicting_words') }}
            as evidence_words,
        {{ list_value('candidates.original_caption', 'candidates.conflicting_caption') }}
            as texts_seen,
        first_failures.drop_detail,
        first_failures.candidate_id is null as is_retained
    from candidates
    left join rule_check
        on candidates.sample_id = rule_check.candidate_id
    left join change_check
        on candidates.sample_id = change_check.candidate_id
    left join answers_check
        on candidates.sample_id = answers_check.candidate_id
    left join question_check
        on candidates.sample_id = question_check.candidate_id
    left join failed_verdicts
        on candidates.sample_id = failed_verdicts.candidate_id
    left join human_check
        on candidates.sample_id = human_check.candidate_id
    left join first_failures
        on candidates.sample_id = first_failures.candidate_id
    left join subgroups
        on
            candidates.change_type = subgroups.change_type
            and {{ list_extract('candidates.categories', 1) }} = subgroups.category
            and candidates.subcategory = subgroups.subcategory
    left join images
        on candidates.source_image_id = images.source_image_id

)

select * from final
