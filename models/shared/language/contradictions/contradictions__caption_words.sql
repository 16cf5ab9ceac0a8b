-- separators are one more than words: what stands before the first, between, and behind the last
select
    caption_id, source_image_id, caption, caption_position,
    {{ list_transform(regexp_extract_all('caption', '[A-Za-z0-9]+'), 'word', 'lower(word)') }}
        as words,
    {{ regexp_split('caption', '[A-Za-z0-9]+') }} as separators
from {{ ref('images__texts') }}
where is_english and is_short
