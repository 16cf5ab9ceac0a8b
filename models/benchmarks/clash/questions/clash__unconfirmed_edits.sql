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

-- what other captions of the picture say of the same concept
other_mentions as (
    select
        phrase_nouns.proposal_id, phrase_nouns.is_object, phrase_nouns.kind, phrase_nouns.noun,
        phrase_nouns.next_noun, readings.caption_id, readings.next_word, readings.word_after_next
    from phrase_nouns
    inner join readings
        on
            phrase_nouns.source_image_id = readings.source_image_id
            and phrase_nouns.concept = readings.concept
            and phrase_nouns.caption_id <> readings.caption_id
),

-- a thing, a sport, the weather: another caption has it, too
named_again as (
    select proposal_id
    from other_mentions
    where is_object or kind = 'weather'
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
    select other_mentions.proposal_id
    from other_mentions
    inner join same_words
        on
            other_mentions.noun = same_words.word
            and same_words.other_word
            in (other_mentions.next_word, other_mentions.word_after_next)
    where not other_mentions.is_object
),

-- "behind a building", "behind the brick building"
placed_again as (
    select other_mentions.proposal_id
    from other_mentions
    inner join {{ ref('contradictions__caption_words') }} as caption_words using (caption_id)
    inner join same_words
        on
            other_mentions.next_noun = same_words.word
            and array_contains(caption_words.words, same_words.other_word)
    where other_mentions.kind = 'relation'
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
