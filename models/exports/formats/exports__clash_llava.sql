{{ config(materialized=kept_as('clash-llava')) }}

with

records as (

    select * from {{ ref('exports__clash_finetuning') }}
    where picture_state = 'available'

),

final as (

    select
        example_id,
        sample_id,
        condition,
        source_image_id,
        change_type,
        category,
        license_name,
        license_url,
        flickr_url,
        caption_shown,
        question,
        choices,
        '(' || right_letter || ')' as letter_target,
        right_choice as text_target,
        image,
        image_path,
        image_archive
    from records

)

select * from final
