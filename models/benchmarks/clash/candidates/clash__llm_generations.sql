with

outcomes as (

    select * from {{ ref('llm__outcomes') }}
    where task = 'clash_generate'

),

captions as (

    select * from {{ ref('images__captions') }}
    where caption_position = 1

),

quotes as (

    select * from {{ ref('llm_quotes') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- a request counts only if it quotes the image's caption as it is now
final as (

    select
        outcomes.custom_id,
        images.image_id,
        captions.source_image_id,
        trim(captions.caption) as original_caption,
        outcomes.answer,
        outcomes.reason as response_reason,
        outcomes.requested_at
    from outcomes
    inner join captions
        on outcomes.input_id = captions.source_image_id
    inner join images
        on captions.source_image_id = images.source_image_id
    inner join quotes
        on outcomes.task = quotes.task
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'caption': 'captions.caption',
    }) }}

)

select * from final
