-- a view, because it repeats its two parts
{{ config(materialized='view') }}

with

caption_pairs as (

    select * from {{ ref('certainly_uncertain__caption_pairs') }}

),

image_pairs as (

    select * from {{ ref('certainly_uncertain__image_pairs') }}

),

categories as (

    select * from {{ ref('uncertainty_categories') }}

),

pairs as (

    select
        'pairs_from_captions' as screening,
        'caption' as source,
        *
    from caption_pairs
    union all
    select
        'pairs_from_images' as screening,
        'image' as source,
        *
    from image_pairs

),

final as (

    select
        pairs.pair_id,
        pairs.category,
        pairs.screening,
        categories.kind,
        pairs.source,
        pairs.source_image_id,
        pairs.open_image_id,
        pairs.image_id,
        pairs.question_id,
        pairs.generator,
        pairs.prompt_sha256,
        pairs.answerable_rule,
        pairs.unanswerable_rule,
        pairs.object_words,
        pairs.answerable_question,
        pairs.answerable_answer,
        pairs.unanswerable_question,
        pairs.unanswerable_answer,
        pairs.evidence_words,
        pairs.texts_seen,
        pairs.response_reason,
        pairs.recipe_family,
        pairs.rle,
        pairs.is_instance_checked,
        -- a stem that both sides have stands on each as often. Of a language model's questions the
        -- first two words are the stem
        case
            when pairs.answerable_question = pairs.unanswerable_question then false
            when pairs.generator = 'rules' then true
            else
                {{ regexp_extract('lower(pairs.answerable_question)', '^[a-z]+ [a-z]+') }}
                <> {{ regexp_extract('lower(pairs.unanswerable_question)', '^[a-z]+ [a-z]+') }}
        end as stem_is_one_sided
    from pairs
    left join categories
        on
            pairs.category = categories.category
            and pairs.source = categories.source

)

select * from final
