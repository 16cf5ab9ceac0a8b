with
candidates as (select * from {{ ref('conflict_suite__candidates') }}),

first_failures as (
    {{ first_failures('conflict_suite', 'conflict_suite', candidate_key='question_id') }}
),

-- where no file lists an image, its name is made of its id and split
named_candidates as (
    select
        candidates.*,
        'vqa-' || cast(candidates.question_id as string) as candidate_id,
        coalesce(
            images.file_name,
            'COCO_' || candidates.source_split || '2014_'
            || lpad(cast(candidates.image_id as string), 12, '0') || '.jpg'
        ) as image_file
    from candidates
    left join {{ ref('images__source_images') }} as images using (source_image_id)
)

select
    candidates.candidate_id,
    'conflict_suite' as screening,
    candidates.question_id,
    candidates.candidate_id as base_id,
    candidates.image_id,
    candidates.source_image_id,
    candidates.image_file,
    candidates.source_split,
    candidates.question,
    candidates.multiple_choice_answer,
    candidates.multiple_choice_answer as answer,
    questions.family,
    questions.answer_type,
    questions.evidence_modality,
    questions.gold_answer,
    captions.caption_id,
    captions.caption,
    coalesce(questions.evidence_words, {{ empty_list('string') }})
        as evidence_words,
    cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
    first_failures.drop_stage,
    first_failures.drop_reason,
    first_failures.drop_detail,
    first_failures.drop_stage is null as is_retained
from named_candidates as candidates
left join first_failures on candidates.question_id = first_failures.candidate_id
left join {{ ref('conflict_suite__question_findings') }} as questions using (question_id)
left join {{ ref('conflict_suite__caption_findings') }} as caption_findings using (question_id)
left join {{ ref('images__captions') }} as captions
    on caption_findings.caption_id = captions.caption_id
