with

pairs as (

    select * from {{ ref('certainly_uncertain__pair_candidates') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

verification as (

    select * from {{ ref('certainly_uncertain__verification_gate') }}

),

still_answerable as (

    select * from {{ ref('certainly_uncertain__still_answerable_gate') }}

),

caption_failures as (

    {{ first_failed_gate('certainly_uncertain', dict(
        caption_pair_gates(),
        draw='certainly_uncertain__draw_gate',
        verification='certainly_uncertain__verification_gate',
        undecided='certainly_uncertain__undecided_gate',
        withdrawal='certainly_uncertain__withdrawal_gate'
    ), screening='pairs_from_captions', with_detail=[
        'topic', 'contradiction', 'instances', 'open', 'check', 'verification', 'withdrawal',
    ]) }}

),

image_failures as (

    {{ first_failed_gate('certainly_uncertain', dict(
        object_gates(),
        **dict(
            removal_gates(),
            withdrawal='certainly_uncertain__withdrawal_gate',
            picture_missing='certainly_uncertain__picture_missing_gate',
            render_failed='certainly_uncertain__render_failed_gate',
            verification='certainly_uncertain__verification_gate',
            undecided='certainly_uncertain__undecided_gate'
        )
    ), screening='pairs_from_images', with_detail=[
        'question_of_presence', 'question_of_number', 'second_answer', 'whole_picture',
        'world_knowledge',
        'no_question_object', 'mask_unusable', 'object_not_outlined', 'open_answer',
        'still_answerable',
        'withdrawal', 'render_failed', 'verification',
    ]) }}

),

-- people verify pairs of both screenings, so a failure counts in its pair's own
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
        coalesce(verification.is_passed, false) as is_verified,
        coalesce(still_answerable.is_answer_object, false) as is_answer_object,
        first_failures.candidate_id is null as is_retained
    from pairs
    left join first_failures
        on
            pairs.pair_id = first_failures.candidate_id
            and pairs.screening = first_failures.screening
    left join verification
        on pairs.pair_id = verification.candidate_id
    left join still_answerable
        on pairs.pair_id = still_answerable.candidate_id
    left join images
        on pairs.source_image_id = images.source_image_id

)

select * from final
