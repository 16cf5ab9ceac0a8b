with
outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'clash_generate'
),

captions as (
    select * from {{ ref('images__texts') }}
    where caption_position = 1 and is_english and is_short
)

-- a request counts only if it quotes the image's caption as it is now
select
    outcomes.custom_id, images.image_id, captions.source_image_id,
    trim(captions.caption) as original_caption,
    outcomes.answer,
    outcomes.reason as response_reason,
    outcomes.requested_at
from outcomes
inner join captions on outcomes.input_id = captions.source_image_id
left join {{ ref('images__source_images') }} as images using (source_image_id)
inner join {{ ref('llm_quotes') }} as quotes using (task)
where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
    'caption': 'captions.caption',
}) }}
