-- what one caption of a picture alone says: nobody else saw it so, or the others call it otherwise
with
-- who writes captions of pictures of their own answers for them
captions as (
    select caption_id
    from {{ ref('images__texts') }}
    where caption_origin = 'coco'
),

word_classes as (
    select word
    from {{ ref('clash_vocabulary') }}
    where list_name = 'word_classes'
),

said_words as (
    select distinct
        caption_words.caption_id, caption_words.source_image_id,
        {{ unnest_list('caption_words.words') }} as word
    from {{ ref('contradictions__caption_words') }} as caption_words
    inner join captions using (caption_id)
),

shared_words as (
    select distinct said_words.caption_id, said_words.word
    from said_words
    inner join {{ ref('clash__same_words') }} as same_words using (word)
    inner join said_words as others
        on
            said_words.source_image_id = others.source_image_id
            and same_words.other_word = others.word
    where said_words.caption_id <> others.caption_id
),

lone_words as (
    select said_words.caption_id, said_words.word
    from said_words
    left join word_classes using (word)
    left join shared_words using (caption_id, word)
    where word_classes.word is null and shared_words.word is null
),

-- "smile", and as a question has it, "smiling"
lone_forms as (
    select caption_id, word from lone_words
    union
    select lone_words.caption_id, verbs.gerund as word
    from lone_words
    inner join {{ ref('clash_verbs') }} as verbs
        on lone_words.word in (verbs.base, verbs.third_person)
    where verbs.gerund is not null
)

select caption_id, {{ array_agg('word', order_by='word') }} as words
from lone_forms
group by caption_id
