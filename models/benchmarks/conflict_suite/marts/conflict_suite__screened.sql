with

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}

),

family_gate as (

    select * from {{ ref('conflict_suite__family_gate') }}

),

gold_answers as (

    select * from {{ ref('conflict_suite__gold_answers') }}

),

evidence_words as (

    select * from {{ ref('conflict_suite__evidence_words') }}

),

caption_choice as (

    select * from {{ ref('conflict_suite__caption_choice') }}

),

captions as (

    select * from {{ ref('images__captions') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- the first failing stage wins
staged as (

    select
        candidates.*,
        coalesce(
            images.file_name,
            'COCO_' || candidates.source_split || '2014_'
            || lpad(cast(candidates.image_id as {{ dbt.type_string() }}), 12, '0') || '.jpg'
        ) as image_file,
        family_gate.family,
        family_gate.answer_type,
        family_gate.evidence_modality,
        gold_answers.gold_answer,
        caption_choice.caption_id,
        captions.caption,
        coalesce(evidence_words.evidence_words, {{ empty_list(dbt.type_string()) }})
            as evidence_words,
        case
            when not candidates.is_annotated then 'annotation'
            when not family_gate.is_passed then 'family'
            when not gold_answers.is_passed then 'normalization'
            when not caption_choice.has_caption then 'caption'
            when not caption_choice.is_passed then 'consistency'
        end as drop_stage
    from candidates
    left join family_gate
        on candidates.question_id = family_gate.question_id
    left join gold_answers
        on candidates.question_id = gold_answers.question_id
    left join evidence_words
        on candidates.question_id = evidence_words.question_id
    left join caption_choice
        on candidates.question_id = caption_choice.question_id
    left join captions
        on caption_choice.caption_id = captions.caption_id
    left join images
        on candidates.source_image_id = images.source_image_id

),

gates as (

    select * from {{ ref('conflict_suite__gates') }}

),

final as (

    select
        staged.question_id,
        'vqa-' || cast(staged.question_id as {{ dbt.type_string() }}) as base_id,
        staged.image_id,
        staged.source_image_id,
        staged.image_file,
        staged.source_split,
        staged.question,
        staged.multiple_choice_answer,
        staged.family,
        staged.answer_type,
        staged.evidence_modality,
        staged.gold_answer,
        staged.caption_id,
        staged.caption,
        staged.evidence_words,
        staged.drop_stage,
        gates.reason as drop_reason,
        'vqa-' || cast(staged.question_id as {{ dbt.type_string() }}) as candidate_id,
        'conflict_suite' as screening,
        staged.multiple_choice_answer as answer,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        cast(null as {{ dbt.type_string() }}) as drop_detail,
        staged.drop_stage is null as is_retained
    from staged
    left join gates
        on staged.drop_stage = gates.stage

)

select * from final
