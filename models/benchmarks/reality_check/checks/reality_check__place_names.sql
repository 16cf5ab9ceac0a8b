with
-- one row for each word that was read and counts
text_blocks as (
    select images.image_id, {{ unnest_list('annotations.text_blocks') }} as text_block
    from {{ ref('reality_check__images') }} as images
    inner join {{ ref('images__annotations') }} as annotations
        on images.image_id = annotations.source_image_id
),

tokens as (
    select
        image_id,
        {{ regexp_extract(lower_text('text_block.text'), '[a-z0-9]+') }} as token,
        {{ list_extract('text_block.bbox', 4) }} as block_height
    from text_blocks
),

sorted_tokens as (
    select
        tokens.image_id, tokens.token, tokens.block_height,
        location_words.word is not null as is_location_word
    from tokens
    left join {{ vocabulary('reality_check', 'location_words') }} as location_words
        on tokens.token = location_words.word
    where length(tokens.token) > {{ rc_threshold('ocr_short_word') }}
),

final as (
    select
        image_id,
        {{ list_sort_distinct(array_agg(
            'case when not is_location_word then token end', order_by='token'
        )) }} as names_and_null,
        max(block_height) as tallest_block_height,
        max(case when is_location_word then block_height end) as tallest_location_height
    from sorted_tokens
    group by image_id
)

select
    image_id,
    {{ list_filter('names_and_null', 'name', 'name is not null') }} as names,
    tallest_block_height, tallest_location_height
from final
