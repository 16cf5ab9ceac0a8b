with

images as (

    select * from {{ ref('reality_check__images') }}

),

captions as (

    select * from {{ ref('images__captions') }}

),

own_captions as (

    select
        annotation_id as caption_id,
        source_image_id,
        {{ tokens('caption') }} as tokens
    from {{ ref('reality_check__own_annotations') }}
    where problem is null and caption is not null
    union all
    select
        'stated-' || source_image_id as caption_id,
        source_image_id,
        {{ tokens('caption') }} as tokens
    from {{ ref('reality_check__own_statements') }}
    where caption is not null

),

all_captions as (

    select
        cast(caption_id as {{ dbt.type_string() }}) as caption_id,
        source_image_id,
        tokens
    from captions
    union all
    select * from own_captions

),

label_counts as (

    select * from {{ ref('reality_check__label_counts') }}

),

object_words as (

    select * from {{ ref('object_words') }}

),

image_captions as (

    select
        images.image_id,
        all_captions.caption_id as text_id,
        all_captions.tokens
    from images
    inner join all_captions
        on images.image_id = all_captions.source_image_id

),

caption_counts as (

    select
        image_id,
        count(*) as n_captions
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
    inner join image_captions
        on mentions.text_id = image_captions.text_id
    group by image_captions.image_id, mentions.category

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
