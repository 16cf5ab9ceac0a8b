-- a view: every column but the last is one of the screening, and there are many drops
{{ config(materialized='view') }}

with

dropped as (

    select * from {{ ref('conflict_suite__screened') }}
    where not is_retained

),

refined as (

    select * from {{ ref('conflict_suite_refined__screened') }}
    where not is_retained

),

occlusions as (

    select * from {{ ref('occlusions__screened') }}
    where not is_retained

),

bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

clash as (

    select * from {{ ref('clash__screened') }}
    where not is_retained

),

captions as (

    select * from {{ ref('images__captions') }}

),

image_captions as (

    select
        source_image_id,
        {{ array_agg('caption', order_by='caption_position') }} as captions
    from captions
    group by source_image_id

),

images as (

    select * from {{ ref('images__source_images') }}

),

reasons as (

    select * from {{ ref('audit__gates') }}

),

final as (

    -- what a question saw that never came to its captions is nothing
    select
        'conflict_suite' as benchmark,
        dropped.base_id as candidate_id,
        dropped.drop_stage as stage,
        dropped.drop_reason as reason,
        dropped.family,
        dropped.question_id,
        dropped.image_id,
        dropped.image_file,
        dropped.question,
        dropped.multiple_choice_answer as answer,
        dropped.gold_answer,
        dropped.evidence_words,
        coalesce(image_captions.captions, {{ empty_list(dbt.type_string()) }})
            as captions_seen,
        reasons.description as what_failed
    from dropped
    left join image_captions
        on
            dropped.source_image_id = image_captions.source_image_id
            and dropped.drop_stage = 'consistency'
    inner join reasons
        on
            dropped.drop_stage = reasons.stage
            and reasons.benchmark = 'conflict_suite'

    union all
    -- the captions seen are the base's own and the edited one
    select
        'conflict_suite_refined' as benchmark,
        refined.base_id as candidate_id,
        refined.drop_stage as stage,
        refined.drop_reason as reason,
        refined.family,
        refined.question_id,
        refined.image_id,
        refined.image_file,
        refined.question,
        refined.multiple_choice_answer as answer,
        refined.gold_answer,
        refined.evidence_words,
        {{ list_value('refined.caption', 'refined.edited_caption') }} as captions_seen,
        reasons.description as what_failed
    from refined
    inner join reasons
        on
            refined.drop_stage = reasons.stage
            and reasons.benchmark = 'conflict_suite_refined'

    union all
    -- what an occlusion is judged by are the objects that its question names, and no caption
    select
        'occlusions' as benchmark,
        occlusions.example_id as candidate_id,
        occlusions.drop_stage as stage,
        occlusions.drop_reason as reason,
        occlusions.family,
        bases.question_id,
        bases.image_id,
        bases.image_file,
        occlusions.question,
        bases.multiple_choice_answer as answer,
        bases.gold_answer,
        {{ list_value('occlusions.categories') }} as evidence_words,
        {{ empty_list(dbt.type_string()) }} as captions_seen,
        reasons.description || coalesce(': ' || occlusions.drop_detail, '') as what_failed
    from occlusions
    inner join bases
        on occlusions.base_id = bases.base_id
    inner join reasons
        on
            occlusions.drop_stage = reasons.stage
            and reasons.benchmark = 'occlusions'

    union all
    -- a sample has no VQA question; its answers by picture and by caption stand for both. A
    -- request without a sample saw one caption and has none of the rest
    select
        'clash' as benchmark,
        clash.sample_id as candidate_id,
        clash.drop_stage as stage,
        clash.drop_reason as reason,
        clash.change_type as family,
        cast(null as bigint) as question_id,
        clash.image_id,
        coalesce(images.file_name, clash.source_image_id) as image_file,
        clash.question,
        clash.text_only_answer as answer,
        clash.image_only_answer as gold_answer,
        case
            when clash.question is null then {{ empty_list(dbt.type_string()) }}
            else {{ list_value('clash.original_words', 'clash.conflicting_words') }}
        end as evidence_words,
        case
            when clash.question is null then {{ list_value('clash.original_caption') }}
            else {{ list_value('clash.original_caption', 'clash.conflicting_caption') }}
        end as captions_seen,
        reasons.description as what_failed
    from clash
    left join images
        on clash.source_image_id = images.source_image_id
    inner join reasons
        on
            clash.drop_stage = reasons.stage
            and reasons.benchmark = 'clash'

)

select * from final
