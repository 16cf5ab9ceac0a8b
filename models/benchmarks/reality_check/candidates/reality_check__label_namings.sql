with
own_captions as (
    select annotation_id as caption_id, source_image_id, {{ tokens('caption') }} as tokens
    from {{ ref('reality_check__own_annotations') }}
    where problem is null and caption is not null
    union all
    select
        'stated-' || source_image_id as caption_id,
        source_image_id,
        {{ tokens('caption') }} as tokens
    from {{ ref('images__own_statements') }}
    where caption is not null
),

all_captions as (
    select cast(caption_id as string) as caption_id, source_image_id, tokens
    from {{ ref('images__captions') }}
    where is_no_description is not true
    union all
    select * from own_captions
),

image_captions as (
    select images.image_id, all_captions.caption_id as text_id, all_captions.tokens
    from {{ ref('reality_check__images') }} as images
    inner join all_captions on images.image_id = all_captions.source_image_id
),

caption_counts as (
    select image_id, count(*) as n_captions
    from image_captions
    group by image_id
),

mentions as (
    {{ object_mentions('image_captions') | indent }}
),

naming_counts as (
    select
        image_captions.image_id,
        mentions.category as label,
        count(distinct mentions.text_id) as n_naming
    from mentions
    inner join image_captions using (text_id)
    group by image_captions.image_id, mentions.category
),

labels_with_words as (
    select distinct category as label from {{ ref('object_words') }}
)

select
    label_counts.image_id, label_counts.label, caption_counts.n_captions,
    coalesce(naming_counts.n_naming, 0) as n_naming
from {{ ref('reality_check__label_counts') }} as label_counts
inner join labels_with_words using (label)
inner join caption_counts using (image_id)
left join naming_counts using (image_id, label)
