with

pairs as (

    select * from {{ ref('certainly_uncertain__pair_candidates') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

first_failures as (

    {{ first_failed_gate('certainly_uncertain', {
        'sides': 'certainly_uncertain__sides_gate',
    }, screening='pairs_from_captions') }}

),

final as (

    select
        pairs.pair_id as candidate_id,
        pairs.pair_id,
        pairs.screening,
        pairs.category as family,
        pairs.category,
        pairs.kind,
        pairs.source,
        pairs.source_image_id,
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
        pairs.is_instance_checked,
        first_failures.candidate_id is null as is_retained
    from pairs
    left join first_failures
        on pairs.pair_id = first_failures.candidate_id
    left join images
        on pairs.source_image_id = images.source_image_id

)

select * from final
