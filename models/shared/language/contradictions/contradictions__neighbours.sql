-- the word that a term hangs on: "in a large bowl", "riding the horse". Behind "of" it is two: "on
-- top of a table"
with
matches as (select * from {{ ref('contradictions__matches') }}),
openers as (
    select word, kind from {{ vocabulary('lexicon', 'openers', value='kind') }} as listed_words
),

placed_matches as (
    select
        matches.caption_id, matches.position, matches.end_position, matches.term,
        caption_words.source_image_id, caption_words.words,
        case when matches.separator_after = ' ' then matches.next_word end as word_behind,
        case when first_openers.kind = 'modifier' then matches.previous_word end as modifier,
        case
            when first_openers.word is null then matches.position - 1
            when second_openers.word is null then matches.position - 2
            else matches.position - 3
        end as governor_position
    from matches
    inner join {{ ref('contradictions__caption_words') }} as caption_words using (caption_id)
    left join openers as first_openers on matches.previous_word = first_openers.word
    left join openers as second_openers on matches.word_before_last = second_openers.word
)

select
    caption_id, position, end_position, term, source_image_id, words, word_behind, modifier,
    case
        when {{ list_extract('words', 'governor_position') }} = 'of'
            then {{ list_extract('words', 'governor_position - 1') }} || ' of'
        else {{ list_extract('words', 'governor_position') }}
    end as word_before
from placed_matches
