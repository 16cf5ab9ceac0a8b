with
paragraphs as (
    select * from {{ ref('stg_docci__descriptions') }}
    where occurrence = 1
),

listed_sentences as (
    select
        source_image_id,
        {{ regexp_extract_all('description', '[^.!?]+[.!?]*') }} as sentences
    from paragraphs
),

sentence_positions as (
    select
        source_image_id,
        sentences,
        {{ unnest_list(integer_series(1, list_length('sentences'))) }} as position
    from listed_sentences
),

-- a sentence of a paragraph says what a caption does
texts as (
    select
        'coco-' || cast(caption_id as string) as text_id,
        source_image_id,
        caption as text,
        cast(caption_position as bigint) as text_position
    from {{ ref('images__captions') }}
    union all
    select
        source_image_id || '-' || cast(position as string) as text_id,
        source_image_id,
        trim({{ list_extract('sentences', 'position') }}) as text,
        cast(position as bigint) as text_position
    from sentence_positions
)

select
    *,
    {{ list_transform(regexp_extract_all('text', '[A-Za-z0-9]+'), 'word', 'lower(word)') }}
        as words,
    {{ regexp_split('text', '[A-Za-z0-9]+') }} as separators
from texts
