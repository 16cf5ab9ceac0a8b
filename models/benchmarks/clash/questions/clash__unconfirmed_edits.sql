-- edits of which one caption alone says what the picture shows. An outline is as good as a caption
with
captions as (
    select caption_id
    from {{ ref('images__texts') }}
    where caption_origin = 'coco'
),

phrase_nouns as (
    select phrase_nouns.*
    from {{ ref('clash__phrase_nouns') }} as phrase_nouns
    inner join captions using (caption_id)
),

same_words as (select * from {{ ref('clash__same_words') }}),

readings as (
    select distinct
        readings.caption_id, caption_words.source_image_id, readings.concept, readings.change_type,
        readings.next_word, readings.word_after_next
    from {{ ref('contradictions__readings') }} as readings
    inner join {{ ref('contradictions__caption_words') }} as caption_words using (caption_id)
),

-- a thing, a sport, the weather: another caption has it, too
named_again as (
    select phrase_nouns.proposal_id
    from phrase_nouns
    inner join readings
        on
            phrase_nouns.source_image_id = readings.source_image_id
            and phrase_nouns.concept = readings.concept
    where
        phrase_nouns.caption_id <> readings.caption_id
        and (phrase_nouns.is_object or phrase_nouns.kind = 'weather')
    union
    select phrase_nouns.proposal_id
    from phrase_nouns
    inner join {{ ref('object_words') }} as object_words
        on phrase_nouns.concept = object_words.phrase
    inner join {{ ref('images__instances') }} as instances
        on
            phrase_nouns.source_image_id = instances.source_image_id
            and object_words.category = instances.category
    where phrase_nouns.is_object
),

-- a color, a number, a material: another caption says it of the same thing
said_again as (
    select phrase_nouns.proposal_id
    from phrase_nouns
    inner join readings
        on
            phrase_nouns.source_image_id = readings.source_image_id
            and phrase_nouns.concept = readings.concept
    inner join same_words
        on
            phrase_nouns.noun = same_words.word
            and same_words.other_word in (readings.next_word, readings.word_after_next)
    where phrase_nouns.caption_id <> readings.caption_id and not phrase_nouns.is_object
),

-- "behind a building", "behind the brick building"
placed_again as (
    select phrase_nouns.proposal_id
    from phrase_nouns
    inner join readings
        on
            phrase_nouns.source_image_id = readings.source_image_id
            and phrase_nouns.concept = readings.concept
    inner join {{ ref('contradictions__caption_words') }} as caption_words
        on readings.caption_id = caption_words.caption_id
    inner join same_words
        on
            phrase_nouns.next_noun = same_words.word
            and array_contains(caption_words.words, same_words.other_word)
    where phrase_nouns.caption_id <> readings.caption_id and phrase_nouns.kind = 'relation'
),

confirmed_edits as (
    select proposal_id from named_again
    union
    select proposal_id from said_again
    union
    select proposal_id from placed_again
)

select
    phrase_nouns.proposal_id,
    'one caption alone says "' || phrase_nouns.changed_from || '" of it' as unconfirmed
from phrase_nouns
left join confirmed_edits using (proposal_id)
where confirmed_edits.proposal_id is null
