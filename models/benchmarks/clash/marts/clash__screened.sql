with
first_failures as (
    {{ first_failures('clash', 'clash') }}
),

-- a picture has a caption once
captions as (
    select source_image_id, trim(caption) as original_caption, min(caption_origin) as caption_origin
    from {{ ref('images__texts') }}
    group by source_image_id, trim(caption)
)

select
    candidates.sample_id,
    candidates.origin,
    candidates.editor,
    candidates.image_id,
    candidates.source_image_id,
    candidates.original_caption,
    captions.caption_origin,
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
    text_findings.lexicon_category,
    coalesce(subgroups.subgroup, text_findings.lexicon_subgroup) as subgroup,
    case when candidates.change_type = 'relation' then candidates.subcategory end as relation,
    candidates.question_pattern,
    sample_findings.failed_llm_verdicts,
    first_failures.drop_stage,
    first_failures.drop_reason,
    coalesce(people_findings.n_human_verdicts, 0) as n_human_verdicts,
    coalesce(people_findings.n_human_accepts, 0) as n_human_accepts,
    text_findings.has_image_answer,
    text_findings.has_text_answer,
    text_findings.has_changed_words,
    text_findings.is_one_span,
    text_findings.is_distractor_absent,
    text_findings.are_answers_distinct,
    text_findings.are_stems_distinct,
    text_findings.is_known_change,
    text_findings.is_of_change_type,
    text_findings.is_objective,
    text_findings.is_no_synonym,
    text_findings.is_unambiguous,
    text_findings.are_answers_no_synonyms,
    text_findings.are_answers_unambiguous,
    text_findings.is_question_clear,
    text_findings.is_question_focused,
    text_findings.is_question_open,
    sample_findings.is_llm_change_passed,
    sample_findings.are_llm_answers_passed,
    sample_findings.is_llm_question_passed,
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
    case when people_findings.candidate_id is null then 'human_check,undecided' end
        as stages_not_asked,
    first_failures.candidate_id is null as is_retained
from {{ ref('clash__candidates') }} as candidates
inner join {{ ref('clash__sample_findings') }} as sample_findings
    on candidates.sample_id = sample_findings.candidate_id
left join {{ ref('clash__text_findings') }} as text_findings
    on candidates.sample_id = text_findings.candidate_id
left join {{ ref('clash__people_findings') }} as people_findings
    on candidates.sample_id = people_findings.candidate_id
left join first_failures on candidates.sample_id = first_failures.candidate_id
left join {{ ref('clash_subgroups') }} as subgroups
    on
        candidates.change_type = subgroups.change_type
        and {{ list_extract('candidates.categories', 1) }} = subgroups.category
        and candidates.subcategory = subgroups.subcategory
left join {{ ref('images__source_images') }} as images
    on candidates.source_image_id = images.source_image_id
left join captions
    on
        candidates.source_image_id = captions.source_image_id
        and candidates.original_caption = captions.original_caption
