with

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}

),

families as (

    select * from {{ ref('conflict_suite__family_gate') }}

),

gold_answers as (

    select * from {{ ref('conflict_suite__gold_answers') }}

),

evidence_words as (

    select * from {{ ref('conflict_suite__evidence_words') }}

),

chosen_captions as (

    select * from {{ ref('conflict_suite__consistency_gate') }}
    where is_passed

),

captions as (

    select * from {{ ref('images__captions') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

first_failures as (

    {{ first_failed_gate('conflict_suite', {
        'annotation': 'conflict_suite__annotation_gate',
        'family': 'conflict_suite__family_gate',
        'normalization': 'conflict_suite__gold_answers',
        'caption': 'conflict_suite__caption_gate',
        'consistency': 'conflict_suite__consistency_gate',
        'withdrawal': 'conflict_suite__withdrawal_gate',
    }, with_detail=['withdrawal'], candidate_key='question_id') }}

),

-- where no file lists an image, its name is made of its id and split
named_candidates as (

    select
        candidates.*,
        'vqa-' || cast(candidates.question_id as {{ dbt.type_string() }}) as candidate_id,
        coalesce(
            images.file_name,
            'COCO_' || candidates.source_split || '2014_'
            || lpad(cast(candidates.image_id as {{ dbt.type_string() }}), 12, '0') || '.jpg'
        ) as image_file
    from candidates
    left join images
        on candidates.source_image_id = images.source_image_id

),

final as (

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
        families.family,
        families.answer_type,
        families.evidence_modality,
        gold_answers.gold_answer,
        captions.caption_id,
        captions.caption,
        coalesce(evidence_words.evidence_words, {{ empty_list(dbt.type_string()) }})
            as evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        first_failures.drop_stage,
        first_failures.drop_reason,
        first_failures.drop_detail,
        first_failures.drop_stage is null as is_retained
    from named_candidates as candidates
    left join first_failures
        on candidates.question_id = first_failures.candidate_id
    left join families
        on candidates.question_id = families.question_id
    left join gold_answers
        on candidates.question_id = gold_answers.question_id
    left join evidence_words
        on candidates.question_id = evidence_words.question_id
    left join chosen_captions
        on candidates.question_id = chosen_captions.question_id
    left join captions
        on chosen_captions.caption_id = captions.caption_id

)

select * from final
