with
captions as (
    select base_id as text_id, caption as text
    from {{ ref('conflict_suite_refined__bases') }}
),

read_words as (
    {{ phrase_words('captions') }}
),

spelled_captions as (
    select
        text_id,
        {{ regexp_extract_all('text', phrase_word_pattern()) }} as spelled_words,
        {{ regexp_split('text', phrase_word_pattern()) }} as separators
    from captions
),

phrases as (
    select
        text_id, phrase,
        min(position) as phrase_start,
        max(case when is_head_class then position end) as head_position
    from read_words
    where phrase is not null
    group by text_id, phrase
)

select
    read_words.text_id as base_id,
    bases.family, bases.gold_answer, read_words.position,
    {{ list_extract('spelled_captions.spelled_words', 'read_words.position') }} as spelled_word,
    {{ list_extract('spelled_captions.separators', 'read_words.position') }} as separator,
    read_words.word, read_words.word_class, read_words.noun, read_words.number_said,
    read_words.color_said, read_words.is_compound_end,
    coalesce(
        lead(read_words.is_compound_end) over (
            partition by read_words.text_id order by read_words.position
        ), false
    ) as is_before_compound,
    read_words.phrase, phrases.phrase_start, phrases.head_position,
    read_words.word_class not in ('punctuation', 'article')
    and (read_words.noun = bases.asked_noun or noun_kinds.kind is not null) as is_asked,
    read_words.previous_word, read_words.previous_class, read_words.next_word, read_words.next_class
from read_words
inner join {{ ref('conflict_suite_refined__bases') }} as bases on read_words.text_id = bases.base_id
inner join spelled_captions using (text_id)
left join phrases using (text_id, phrase)
left join {{ ref('noun_kinds') }} as noun_kinds
    on read_words.noun = noun_kinds.noun and bases.asked_noun = noun_kinds.kind
