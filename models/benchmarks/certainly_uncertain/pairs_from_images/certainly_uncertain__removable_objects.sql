with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}

),

-- masks and captions are looked at for questions that are worth it
failures as (

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
    }, screening='pairs_from_images') }}

),

final as (

    select candidates.*
    from candidates
    left join failures
        on candidates.pair_id = failures.candidate_id
    where failures.candidate_id is null

)

select * from final
