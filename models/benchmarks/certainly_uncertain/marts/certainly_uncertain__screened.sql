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

    {{ first_failed_gate('certainly_uncertain', {
        'response': 'certainly_uncertain__response_gate',
        'refusal': 'certainly_uncertain__refusal_gate',
        'validity': 'certainly_uncertain__validity_gate',
        'good_question': 'certainly_uncertain__good_question_gate',
        'sides': 'certainly_uncertain__sides_gate',
        'topic': 'certainly_uncertain__topic_gate',
        'evidence': 'certainly_uncertain__evidence_gate',
        'support': 'certainly_uncertain__support_gate',
        'contradiction': 'certainly_uncertain__contradiction_gate',
        'only_one': 'certainly_uncertain__only_one_gate',
        'instances': 'certainly_uncertain__instances_gate',
        'open': 'certainly_uncertain__open_gate',
        'overlap': 'certainly_uncertain__overlap_gate',
        'check': 'certainly_uncertain__check_gate',
        'draw': 'certainly_uncertain__draw_gate',
        'verification': 'certainly_uncertain__verification_gate',
        'undecided': 'certainly_uncertain__undecided_gate',
    }, screening='pairs_from_captions', with_detail=[
        'topic', 'contradiction', 'instances', 'open', 'check', 'verification',
    ]) }}

),

image_failures as (

    {{ first_failed_gate('certainly_uncertain', {
        'object_response': 'certainly_uncertain__object_response_gate',
        'object_refusal': 'certainly_uncertain__object_refusal_gate',
        'object_validity': 'certainly_uncertain__object_validity_gate',
        'question_of_presence': 'certainly_uncertain__question_of_presence_gate',
        'question_of_number': 'certainly_uncertain__question_of_number_gate',
        'object_choice': 'certainly_uncertain__object_choice_gate',
        'second_answer': 'certainly_uncertain__second_answer_gate',
        'whole_picture': 'certainly_uncertain__whole_picture_gate',
        'world_knowledge': 'certainly_uncertain__world_knowledge_gate',
        'no_question_object': 'certainly_uncertain__no_question_object_gate',
        'several_categories': 'certainly_uncertain__several_categories_gate',
        'object_not_asked': 'certainly_uncertain__object_not_asked_gate',
        'object_is_crowd': 'certainly_uncertain__object_is_crowd_gate',
        'mask_unusable': 'certainly_uncertain__mask_unusable_gate',
        'object_too_small': 'certainly_uncertain__object_too_small_gate',
        'object_too_large': 'certainly_uncertain__object_too_large_gate',
        'object_not_outlined': 'certainly_uncertain__object_not_outlined_gate',
        'open_answer': 'certainly_uncertain__open_answer_gate',
        'still_answerable': 'certainly_uncertain__still_answerable_gate',
        'annotators_disagree': 'certainly_uncertain__annotators_disagree_gate',
        'picture_missing': 'certainly_uncertain__picture_missing_gate',
        'render_failed': 'certainly_uncertain__render_failed_gate',
        'verification': 'certainly_uncertain__verification_gate',
        'undecided': 'certainly_uncertain__undecided_gate',
    }, screening='pairs_from_images', with_detail=[
        'question_of_presence', 'question_of_number', 'second_answer', 'whole_picture',
        'world_knowledge',
        'no_question_object', 'mask_unusable', 'object_not_outlined', 'open_answer',
        'still_answerable',
        'render_failed', 'verification',
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
