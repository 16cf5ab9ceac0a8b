select
    text_id, source_image_id, caption_origin,
    caption as text,
    caption_position as text_position,
    {{ list_transform(regexp_extract_all('caption', '[A-Za-z0-9]+'), 'word', 'lower(word)') }}
        as words,
    {{ regexp_split('caption', '[A-Za-z0-9]+') }} as separators
from {{ ref('images__texts') }}
where is_english
