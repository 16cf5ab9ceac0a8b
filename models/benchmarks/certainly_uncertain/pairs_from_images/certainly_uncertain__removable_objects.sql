with
-- a question that fails before its mask and captions are looked at needs neither
failures as (
    {{ first_failures('certainly_uncertain', 'pairs_from_images', {
        'certainly_uncertain__object_findings': [
            'object_response', 'object_refusal', 'object_validity', 'question_of_presence',
            'question_of_number', 'object_choice', 'second_answer', 'whole_picture',
            'world_knowledge', 'no_question_object', 'several_categories', 'object_not_asked',
            'object_is_crowd',
        ],
    }) }}
)

select candidates.*
from {{ ref('certainly_uncertain__image_candidates') }} as candidates
left join failures
    on candidates.pair_id = failures.candidate_id
where failures.candidate_id is null
