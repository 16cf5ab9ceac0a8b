with
caption_failures as (
    {{ first_failures('certainly_uncertain', 'pairs_from_captions') }}
),

image_failures as (
    {{ first_failures('certainly_uncertain', 'pairs_from_images') }}
),

people_failures as (
    {{ first_failures('certainly_uncertain', 'pairs_from_people') }}
),

-- people verify pairs of every screening, so a failure counts in its pair's own
first_failures as (
    select
        'pairs_from_captions' as screening,
        *
    from caption_failures
    union all
    select
        'pairs_from_images' as screening,
        *
    from image_failures
    union all
    select
        'pairs_from_people' as screening,
        *
    from people_failures
)

select
    pairs.pair_id as candidate_id,
    pairs.pair_id,
    pairs.screening,
    pairs.category as family,
    pairs.category,
    pairs.kind,
    pairs.source,
    pairs.source_image_id,
    pairs.open_image_id,
    pairs.question_id,
    pairs.image_id,
    coalesce(images.file_name, pairs.source_image_id) as image_file,
    pairs.generator,
    pairs.prompt_sha256,
    pairs.answerable_rule,
    pairs.unanswerable_rule,
    pairs.object_words,
    pairs.answerable_question,
    pairs.answerable_answer,
    pairs.unanswerable_question,
    pairs.unanswerable_answer,
    pairs.unanswerable_question as question,
    pairs.unanswerable_answer as answer,
    pairs.answerable_answer as gold_answer,
    pairs.evidence_words,
    pairs.texts_seen,
    pairs.recipe_family,
    pairs.rle,
    first_failures.drop_stage,
    first_failures.drop_reason,
    first_failures.drop_detail,
    case when pair_findings.passes_undecided is null then 'verification,undecided' end
        as stages_not_asked,
    pairs.is_instance_checked,
    coalesce(pairs.stem_is_one_sided, true) as stem_is_one_sided,
    coalesce(pair_findings.passes_verification, false) as is_verified,
    coalesce(removal_findings.is_answer_object, false) as is_answer_object,
    first_failures.candidate_id is null as is_retained
from {{ ref('certainly_uncertain__pair_candidates') }} as pairs
left join first_failures
    on
        pairs.pair_id = first_failures.candidate_id
        and pairs.screening = first_failures.screening
inner join {{ ref('certainly_uncertain__pair_findings') }} as pair_findings
    on pairs.pair_id = pair_findings.candidate_id
left join {{ ref('certainly_uncertain__removal_findings') }} as removal_findings
    on pairs.pair_id = removal_findings.candidate_id
left join {{ ref('images__source_images') }} as images using (source_image_id)
