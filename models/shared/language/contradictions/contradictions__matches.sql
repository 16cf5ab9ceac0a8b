with
-- a term stands in the lexicon once for each of its readings
terms as (
    select distinct term, first_word, second_word, third_word, fourth_word, n_words
    from {{ ref('lexicon__terms') }}
),

positions as (
    select
        caption_id, words, separators,
        {{ unnest_list(integer_series(1, list_length('words'))) }} as position
    from {{ ref('contradictions__caption_words') }}
),

-- a term's words stand one behind the other, a space or a hyphen between them
found_terms as (
    select
        positions.caption_id, positions.position, terms.term, terms.n_words,
        positions.position + terms.n_words as end_position,
        {{ list_extract('positions.words', 'positions.position - 2') }} as word_before_last,
        {{ list_extract('positions.words', 'positions.position - 1') }} as previous_word,
        {{ list_extract('positions.words', 'positions.position + terms.n_words') }} as next_word,
        {{ list_extract('positions.words', 'positions.position + terms.n_words + 1') }}
            as word_after_next,
        {{ list_extract('positions.separators', 'positions.position') }} as separator_before,
        {{ list_extract('positions.separators', 'positions.position + terms.n_words') }}
            as separator_after
    from positions
    inner join terms
        on {{ list_extract('positions.words', 'positions.position') }} = terms.first_word
    where
        (
            terms.second_word is null
            or (
                {{ list_extract('positions.words', 'positions.position + 1') }} = terms.second_word
                and {{ list_extract('positions.separators', 'positions.position + 1') }}
                in (' ', '-')
            )
        )
        and (
            terms.third_word is null
            or (
                {{ list_extract('positions.words', 'positions.position + 2') }} = terms.third_word
                and {{ list_extract('positions.separators', 'positions.position + 2') }}
                in (' ', '-')
            )
        )
        and (
            terms.fourth_word is null
            or (
                {{ list_extract('positions.words', 'positions.position + 3') }} = terms.fourth_word
                and {{ list_extract('positions.separators', 'positions.position + 3') }}
                in (' ', '-')
            )
        )
),

-- the longest match wins; of two equally long ones that overlap, the earlier
overlapped_terms as (
    select distinct found_terms.caption_id, found_terms.position, found_terms.term
    from found_terms
    inner join found_terms as longer
        on found_terms.caption_id = longer.caption_id and longer.n_words > 1
    where
        found_terms.position < longer.end_position
        and longer.position < found_terms.end_position
        and (
            longer.n_words > found_terms.n_words
            or (longer.n_words = found_terms.n_words and longer.position < found_terms.position)
        )
)

select found_terms.*
from found_terms
left join overlapped_terms using (caption_id, position, term)
where overlapped_terms.caption_id is null
