with
texts as (
    select
        text_id, source_image_id, words,
        ' ' || {{ array_join('words', "' '") }} || ' ' as spaced_text
    from {{ ref('certainly_uncertain__texts') }}
),

listed_words as (
    select * from {{ ref('uncertainty_stem_words') }}
    where says not in ('leads', 'leads_loosely', 'trails', 'few')
),

-- several stems are open in the same pictures: a close-up shows neither the room nor its floor
stem_words as (
    select
        stems.stem,
        listed_words.says,
        coalesce(listed_words.answer, '') as answer,
        {{ unnest_list(regexp_extract_all('listed_words.words', '[^|]+')) }} as words,
        {{ regexp_extract_all("coalesce(listed_words.beside, '')", '[^|]+') }} as beside_words
    from listed_words
    inner join {{ ref('uncertainty_stems') }} as stems
        on
            listed_words.stem = stems.stem
            or (
                listed_words.stem = stems.open_as
                and listed_words.says in ('asks', 'opens', 'bars_open')
            )
),

stem_phrases as (
    select
        *,
        {{ regexp_extract('words', '^[a-z0-9]+') }} as first_word
    from stem_words
),

text_words as (
    select distinct
        text_id,
        {{ unnest_list('words') }} as word
    from texts
)

-- a text is looked at for the phrases whose first word it has
select
    texts.text_id, texts.source_image_id, stem_phrases.stem, stem_phrases.says, stem_phrases.answer,
    min(stem_phrases.words) as words
from text_words
inner join stem_phrases
    on text_words.word = stem_phrases.first_word
inner join texts using (text_id)
where
    texts.spaced_text like '% ' || stem_phrases.words || ' %'
    and (
        {{ list_length('stem_phrases.beside_words') }} = 0
        or {{ list_intersect_size('texts.words', 'stem_phrases.beside_words') }} > 0
    )
group by
    texts.text_id, texts.source_image_id, stem_phrases.stem, stem_phrases.says,
    stem_phrases.answer
