-- a view, because most of its rows are captions of COCO, which stand as a table
{{ config(materialized='view') }}
with
texts as (
    select
        'coco-' || cast(caption_id as string) as text_id,
        caption_id, source_image_id, 'coco' as caption_origin,
        cast(null as string) as description_id, caption,
        cast(caption_position as bigint) as place,
        cast(0 as bigint) as sentence_place,
        true as is_english, true as is_short
    from {{ ref('images__captions') }}
    where
        is_no_description is not true
        and 'coco' in ({{ text_literals(var('caption_origins')) }})
    union all
    select
        text_id, caption_id, source_image_id, caption_origin, description_id, caption, place,
        sentence_place, is_english, is_short
    from {{ ref('images__descriptions') }}
)

-- captions of COCO come first, as they stand there
select
    text_id, caption_id, source_image_id, caption_origin, caption,
    cast(row_number() over (
        partition by source_image_id
        order by caption_origin, place, description_id, sentence_place
    ) as bigint) as caption_position,
    is_english, is_short
from texts
