with

samples as (

    select * from {{ ref('stg_clash__samples') }}

),

-- of a sample that is released twice, the first counts
final as (

    select
        sample_id,
        image_id,
        source_image_id,
        original_caption,
        conflicting_caption,
        question,
        change_type,
        image_only_answer,
        text_only_answer,
        distractor_answer,
        original_words,
        conflicting_words,
        categories
    from samples
    where occurrence = 1

)

select * from final
