{%- set last_token %}
positions.position + {{ list_length('phrases.phrase_tokens') }} - 1
{%- endset -%}
with

images as (

    select * from {{ ref('reality_check__images') }}

),

captions as (

    select * from {{ ref('images__captions') }}

),

label_counts as (

    select * from {{ ref('reality_check__label_counts') }}

),

object_words as (

    select * from {{ ref('object_words') }}

),

phrases as (

    select
        category,
        {{ tokens('phrase') }} as phrase_tokens
    from object_words

),

image_captions as (

    select
        images.image_id,
        captions.caption_id,
        captions.tokens
    from images
    inner join captions
        on images.image_id = captions.source_image_id

),

caption_counts as (

    select
        image_id,
        count(*) as n_captions
    from image_captions
    group by image_id

),

positions as (

    select
        image_id,
        caption_id,
        tokens,
        {{ unnest_list(integer_series(1, list_length('tokens'))) }} as position
    from image_captions

),

all_mentions as (

    select
        positions.image_id,
        positions.caption_id,
        phrases.category as label,
        positions.position,
        positions.position + {{ list_length('phrases.phrase_tokens') }} as end_position
    from positions
    inner join phrases
        on
            {{ list_extract('positions.tokens', 'positions.position') }}
            = {{ list_extract('phrases.phrase_tokens', 1) }}
    where
        {{ list_slice('positions.tokens', 'positions.position', last_token) }}
        = phrases.phrase_tokens

),

-- a phrase inside a longer one does not count: "hot dog" names no dog
mentions_within_longer as (

    select distinct
        all_mentions.caption_id,
        all_mentions.position,
        all_mentions.end_position
    from all_mentions
    inner join all_mentions as longer
        on
            all_mentions.caption_id = longer.caption_id
            and longer.end_position - longer.position
            > all_mentions.end_position - all_mentions.position
    where
        all_mentions.position >= longer.position
        and all_mentions.end_position <= longer.end_position

),

naming_counts as (

    select
        all_mentions.image_id,
        all_mentions.label,
        count(distinct all_mentions.caption_id) as n_naming
    from all_mentions
    left join mentions_within_longer as within_longer
        on
            all_mentions.caption_id = within_longer.caption_id
            and all_mentions.position = within_longer.position
            and all_mentions.end_position = within_longer.end_position
    where within_longer.caption_id is null
    group by all_mentions.image_id, all_mentions.label

),

labels_with_words as (

    select distinct category as label
    from object_words

),

final as (

    select
        label_counts.image_id,
        label_counts.label,
        caption_counts.n_captions,
        coalesce(naming_counts.n_naming, 0) as n_naming
    from label_counts
    inner join labels_with_words
        on label_counts.label = labels_with_words.label
    inner join caption_counts
        on label_counts.image_id = caption_counts.image_id
    left join naming_counts
        on
            label_counts.image_id = naming_counts.image_id
            and label_counts.label = naming_counts.label

)

select * from final
