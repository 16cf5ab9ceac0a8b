with
pairs as (select * from {{ ref('certainly_uncertain__pair_candidates') }}),

picture_origins as (
    select distinct source_image_id, caption_origin
    from {{ ref('certainly_uncertain__texts') }}
),

-- both pictures of a pair from captions, each with whose captions it has
pair_origins as (
    select pairs.pair_id, pairs.screening, picture_origins.caption_origin
    from pairs
    inner join picture_origins using (source_image_id)
    where pairs.source = 'caption'
    union distinct
    select pairs.pair_id, pairs.screening, picture_origins.caption_origin
    from pairs
    inner join picture_origins on pairs.open_image_id = picture_origins.source_image_id
    where pairs.source = 'caption'
),

caption_origins as (
    select
        pair_id, screening,
        {{ array_join(array_agg('caption_origin', order_by='caption_origin'), "','") }}
            as caption_origins
    from pair_origins
    group by pair_id, screening
),

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
    select 'pairs_from_captions' as screening, * from caption_failures
    union all
    select 'pairs_from_images' as screening, * from image_failures
    union all
    select 'pairs_from_people' as screening, * from people_failures
)

select
    pairs.pair_id as candidate_id,
    pairs.pair_id,
    pairs.screening,
    pairs.category as family,
    pairs.category,
    pairs.kind,
    pairs.source,
    caption_origins.caption_origins,
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
from pairs
left join caption_origins using (pair_id, screening)
left join first_failures
    on
        pairs.pair_id = first_failures.candidate_id
        and pairs.screening = first_failures.screening
inner join {{ ref('certainly_uncertain__pair_findings') }} as pair_findings
    on pairs.pair_id = pair_findings.candidate_id
left join {{ ref('certainly_uncertain__removal_findings') }} as removal_findings
    on pairs.pair_id = removal_findings.candidate_id
left join {{ ref('images__source_images') }} as images
    on pairs.source_image_id = images.source_image_id
