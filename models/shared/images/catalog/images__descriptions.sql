{%- set is_english_word %}word in ({{ text_literals(var('caption_english_words')) }}){% endset -%}
with
files as (select * from {{ ref('images__files') }}),
coco_captions as (select * from {{ ref('images__captions') }}),

-- a picture of DOCCI is the one landed picture of its file's name, where there is one
docci_pictures as (
    select file_name, min(source_image_id) as source_image_id
    from files
    where image_id is null
    group by file_name
    having count(*) = 1
),

-- of two manifests that of the file that is read counts, then the first by its path, with all
-- captions that it gives a picture
own_captions as (
    select
        own_files.source_image_id, pictures.caption,
        rank() over (
            partition by own_files.source_image_id
            order by case when files.path is null then 1 else 0 end, pictures.source_file
        ) as mention,
        row_number() over (
            partition by own_files.source_image_id, pictures.source_file
            order by pictures.file_position desc, pictures.caption_position desc
        ) as place_from_last
    from {{ ref('stg_own__pictures') }} as pictures
    inner join {{ ref('stg_images__files') }} as own_files using (path)
    left join files on pictures.path = files.path
),

descriptions as (
    select
        coalesce(docci_pictures.source_image_id, docci.source_image_id) as source_image_id,
        'docci' as caption_origin,
        docci.source_image_id as description_id,
        docci.description,
        cast(0 as bigint) as place
    from {{ ref('stg_docci__descriptions') }} as docci
    left join docci_pictures on docci.image_file = docci_pictures.file_name
    where docci.occurrence = 1
    union all
    select
        own_captions.source_image_id, 'own' as caption_origin,
        cast(null as string) as description_id,
        nullif(trim(own_captions.caption), '') as description,
        -- before those of annotations
        -own_captions.place_from_last as place
    from own_captions
    inner join files on own_captions.source_image_id = files.source_image_id
    where own_captions.mention = 1
    union all
    select
        matches.source_image_id, 'own' as caption_origin, cast(null as string) as description_id,
        annotations.caption as description,
        cast(annotations.file_position as bigint) as place
    from {{ ref('stg_own__annotations') }} as annotations
    inner join {{ ref('images__own_matches') }} as matches using (source_file, image_key)
    inner join files on matches.source_image_id = files.source_image_id
    union all
    select
        files.source_image_id, 'wikimedia' as caption_origin,
        cast(null as string) as description_id,
        gs_plain_text(pages.description_html) as description,
        cast(0 as bigint) as place
    from {{ ref('stg_wikimedia__pages') }} as pages
    inner join files on 'wikimedia_' || substr(md5(pages.url), 1, 12) = files.source_image_id
),

-- lines and runs of blanks are one blank
plain_descriptions as (
    select
        source_image_id, caption_origin, description_id,
        trim({{ regexp_replace('description', '\\s+', ' ') }}) as description,
        place
    from descriptions
    where description is not null
),

-- what is said twice of a picture, or is its caption in COCO, is one text. It is named by what it
-- says, so that no id follows from where its file lies
single_descriptions as (
    select
        plain_descriptions.source_image_id,
        min(plain_descriptions.caption_origin) as caption_origin,
        coalesce(
            min(plain_descriptions.description_id),
            min(plain_descriptions.caption_origin) || '-' || plain_descriptions.source_image_id
            || '-' || substr(md5(plain_descriptions.description), 1, 12)
        ) as description_id,
        plain_descriptions.description,
        min(plain_descriptions.place) as place
    from plain_descriptions
    left join coco_captions
        on
            plain_descriptions.source_image_id = coco_captions.source_image_id
            and plain_descriptions.description = trim(coco_captions.caption)
    where coco_captions.caption_id is null
    group by plain_descriptions.source_image_id, plain_descriptions.description
),

-- a stop before a letter or a digit ends no sentence: "2.5 metres"
listed_sentences as (
    select
        source_image_id, caption_origin, description_id, place,
        {{ regexp_extract_all('description', '(?:[^.!?]|[.!?]+[A-Za-z0-9])+[.!?]*') }}
            as sentences
    from single_descriptions
),

sentences as (
    select
        source_image_id, caption_origin, description_id, place,
        {{ unnest_list_with_position('sentences', 'sentence', 'sentence_place') }}
    from listed_sentences
)

select
    description_id || '-' || cast(sentence_place as string) as text_id,
    -- below zero, where COCO has no ids
    -1 - {{ hex_to_bigint(
        "substr(md5(description_id || '-' || cast(sentence_place as string)), 1, 15)"
    ) }} as caption_id,
    source_image_id, caption_origin, description_id,
    trim(sentence) as caption,
    place,
    cast(sentence_place as bigint) as sentence_place,
    -- Commons gives another language where it has no English
    caption_origin <> 'wikimedia'
    or {{ list_length(list_filter(tokens('sentence'), 'word', is_english_word)) }} > 0
        as is_english,
    {{ list_length(tokens('sentence')) }}
    <= {{ threshold('shared', 'caption_most_words') }} as is_short
from sentences
where
    {{ regexp_matches('sentence', '[A-Za-z0-9]') }}
    and caption_origin in ({{ text_literals(var('caption_origins')) }})
