-- words by which captions call one thing or one action: "dog" and "dogs", "sits" and "sitting",
-- "fridge" and "refrigerator", "man" and "person"; a man and a woman are two
with
caption_words as (select * from {{ ref('contradictions__caption_words') }}),
verbs as (select * from {{ ref('clash_verbs') }}),

used_words as (
    select distinct {{ unnest_list('words') }} as word from caption_words
),

verb_forms as (
    select base, base as form from verbs
    union
    select base, third_person as form from verbs
    union
    select base, gerund as form from verbs
    union
    select base, participle as form from verbs
),

word_keys as (
    select word, {{ regexp_replace('word', 's$', '') }} as word_key from used_words
    union
    select used_words.word, verb_forms.base as word_key
    from used_words
    inner join verb_forms on used_words.word = verb_forms.form
    union
    -- "men" as one "man"
    select used_words.word, terms.term as word_key
    from used_words
    inner join {{ ref('lexicon__terms') }} as terms on used_words.word = terms.plural_term
    union
    select used_words.word, 'category ' || object_words.category as word_key
    from used_words
    inner join {{ ref('object_words') }} as object_words on used_words.word = object_words.phrase
    where object_words.category <> 'person'
),

human_words as (
    select used_words.word
    from used_words
    inner join {{ ref('object_words') }} as object_words on used_words.word = object_words.phrase
    where object_words.category = 'person'
)

select word_keys.word, others.word as other_word
from word_keys
inner join word_keys as others using (word_key)
union
select human_words.word, others.word as other_word
from human_words
cross join human_words as others
where human_words.word in ('person', 'people') or others.word in ('person', 'people')
