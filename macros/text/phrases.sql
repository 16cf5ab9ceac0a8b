{#-
    How a text speaks of what a question asks for: words, noun phrases, and what stands at a noun.
    Every step is linear in the words of the texts.
-#}

{#-
    The singular of a noun by the regular rules of English; nouns that have rules of their own are
    in the seed `noun_forms`.
-#}
{% macro singular_noun(word) -%}
    case
        when {{ regexp_matches(word, '[^aeiou]ies$') }} and length({{ word }}) > 4
            then {{ regexp_replace(word, 'ies$', 'y') }}
        when {{ regexp_matches(word, '(ch|sh|x|ss|zz|o)es$') }} then {{ regexp_replace(word, 'es$', '') }}
        when {{ regexp_matches(word, '[^sui]s$') }} and length({{ word }}) > 3
            then {{ regexp_replace(word, 's$', '') }}
        else {{ word }}
    end
{%- endmacro %}


{#-
    What the lists know of words: rows word, word_class, effect, noun, number_said, color_said, one
    per word or pair of words. Words that stand in no list have no row.
-#}
{% macro listed_words() -%}
select
    word,
    max(word_class) as word_class,
    max(effect) as effect,
    max(noun) as noun,
    max(number_said) as number_said,
    max(color_said) as color_said
from (
    select
        word,
        word_class,
        effect,
        cast(null as string) as noun,
        cast(null as string) as number_said,
        cast(null as string) as color_said
    from {{ ref('word_classes') }}
    union all
    select
        form as word,
        cast(null as string) as word_class,
        cast(null as string) as effect,
        noun,
        cast(null as string) as number_said,
        cast(null as string) as color_said
    from {{ ref('noun_forms') }}
    union all
    select
        surface as word,
        case answer_type when 'integer' then 'number' else 'color' end as word_class,
        cast(null as string) as effect,
        cast(null as string) as noun,
        case when answer_type = 'integer' then canonical end as number_said,
        case when answer_type = 'color' then canonical end as color_said
    from {{ ref('answer_forms') }}
    where answer_type in ('integer', 'color')
) as listings
group by word
{%- endmacro %}


{#- The kind of a word or punctuation mark for `phrase_words`. -#}
{% macro phrase_word_pattern() -%}
    {{ return('[\\p{L}\\p{N}]+(?:-[\\p{L}\\p{N}]+)*(?:[\\x27\\x{2019}][\\p{L}]*)?|[^\\p{L}\\p{N} ]') }}
{%- endmacro %}


{#-
    The words of texts, each with its class, its noun in the singular, and the noun phrase that it
    stands in. `texts` is a relation with the columns text_id and text.

    Rows: text_id, position (from 1, punctuation counts), word, word_class, noun, effect,
    number_said, color_said, phrase (null outside noun phrases), is_head_class, is_compound_end, and
    what stands before and behind the word.

    A noun phrase is a run of articles, determiners, numbers, colours, adjectives and nouns. An
    article or determiner begins one, and so does a number behind a noun. Words that no list has
    are nouns or adjectives; those in -ing and -ed are verbs, unless they stand before a noun where
    no verb can: "two parked cars" is a phrase, "a man dressed in white" and "men riding horses" are
    more than one.
-#}
{% macro phrase_words(texts) -%}
    {%- set nounish %}('word', 'noun', 'imitation', 'color', 'adjective'){% endset %}
    {%- set openers %}('article', 'determiner', 'distributive', 'owner', 'quantifier', 'possessive', 'number', 'color', 'adjective'){% endset %}
    {%- set neighbours %}partition by text_id order by position{% endset -%}
with
vocabulary as (
    {{ listed_words() }}
),

tokenized_texts as (
    select
        text_id,
        {{ regexp_extract_all(lower_text('text'), phrase_word_pattern()) }} as text_words
    from {{ texts }}
),

placed_words as (
    select
        text_id,
        {{ unnest_list_with_position('text_words', 'word', 'position') }}
    from tokenized_texts
),

word_pairs as (
    select
        text_id,
        position,
        replace(word, '’', '''') as word,
        lag(word) over ({{ neighbours }}) || ' ' || word as word_pair
    from placed_words
),

-- a compound of the list is one noun, which stands at its last word
classed_words as (
    select
        word_pairs.text_id,
        word_pairs.position,
        word_pairs.word,
        words.number_said as listed_number,
        words.color_said,
        words.effect,
        case
            when words.word_class is not null then words.word_class
            when {{ regexp_matches('word_pairs.word', '^[0-9]+$') }} then 'number'
            when {{ regexp_matches('word_pairs.word', '^[^\\p{L}\\p{N}]') }} then 'punctuation'
            when {{ regexp_matches('word_pairs.word', '\\x27s?$') }} then 'possessive'
            when {{ regexp_matches('word_pairs.word', '(ing|ed)$') }} and words.noun is null
                then 'participle'
            else 'word'
        end as word_class,
        compounds.noun is not null as is_compound_end,
        coalesce(
            compounds.noun,
            words.noun,
            {{ singular_noun(regexp_replace('word_pairs.word', '\\x27s?$', '')) }}
        ) as noun
    from word_pairs
    left join vocabulary as words
        on word_pairs.word = words.word
    left join vocabulary as compounds
        on word_pairs.word_pair = compounds.word
),

neighboured_words as (
    select
        text_id,
        position,
        word,
        noun,
        color_said,
        effect,
        is_compound_end,
        -- "the swing", "a drink"
        case
            when
                word_class = 'verb'
                and lag(word_class) over ({{ neighbours }})
                in ('article', 'owner', 'possessive', 'adjective')
                then 'noun'
            else word_class
        end as word_class,
        case
            when word_class = 'number'
                then coalesce(listed_number, {{ plain_digits('word') }})
        end as number_said,
        lag(word) over ({{ neighbours }}) as previous_word,
        lag(word_class) over ({{ neighbours }}) as previous_class,
        lag(effect) over ({{ neighbours }}) as previous_effect,
        lag(effect, 2) over ({{ neighbours }}) as effect_before_last,
        lag(noun, 2) over ({{ neighbours }}) as noun_before_last,
        lag(word_class, 2) over ({{ neighbours }}) as class_before_last,
        lead(word) over ({{ neighbours }}) as next_word,
        lead(word_class) over ({{ neighbours }}) as next_class,
        lead(word_class, 2) over ({{ neighbours }}) as second_next_class,
        lead(color_said, 2) over ({{ neighbours }}) as second_next_color,
        lead(word_class, 3) over ({{ neighbours }}) as third_next_class,
        lead(word, 3) over ({{ neighbours }}) as third_next_word
    from classed_words
),

-- the kinds of words that a noun phrase may hold
inside_words as (
    select
        *,
        case word_class
            when 'participle'
                then
                    coalesce(next_class in {{ nounish }}, false)
                    and case
                        when {{ regexp_matches('word', 'ed$') }}
                            then
                                coalesce(
                                    previous_class
                                    not in ('word', 'noun', 'imitation', 'pronoun', 'copula'),
                                    true
                                )
                        else
                            coalesce(
                                previous_class in {{ openers }} and previous_word <> 'one', false
                            )
                    end
            -- "red, white, and blue"
            when 'conjunction'
                then
                    coalesce(
                        next_class = 'color'
                        and (
                            previous_class = 'color'
                            or (previous_word = ',' and class_before_last = 'color')
                        ), false
                    )
            when 'punctuation'
                then
                    coalesce(
                        word = ','
                        and previous_class in ('color', 'adjective', 'imitation')
                        and (
                            next_class in ('color', 'adjective', 'imitation')
                            or (next_class = 'conjunction' and second_next_class = 'color')
                        ), false
                    )
            else
                word_class in (
                    'article', 'determiner', 'distributive', 'owner', 'quantifier', 'possessive',
                    'number', 'color', 'adjective', 'word', 'noun', 'imitation'
                )
        end as is_inside
    from neighboured_words
),

phrase_starts as (
    select
        *,
        is_inside
        and (
            not coalesce(lag(is_inside) over ({{ neighbours }}), false)
            or (
                word_class in ('article', 'determiner', 'distributive', 'owner', 'quantifier')
                and previous_class
                not in ('article', 'determiner', 'distributive', 'owner', 'quantifier', 'number')
            )
            or (word_class = 'number' and previous_class in ('word', 'noun', 'imitation'))
        ) as is_start
    from inside_words
)

select
    *,
    case
        when is_inside
            then sum(case when is_start then 1 else 0 end) over (
                {{ neighbours }} rows between unbounded preceding and current row
            )
    end as phrase,
    word_class in ('word', 'noun', 'imitation', 'color') as is_head_class
from phrase_starts
{%- endmacro %}


{#-
    What texts say of what their questions ask for, by the spec's A2b. `texts` is a relation with
    the columns text_id, question and text; a question is one of `lexicon__asked_nouns`.

    Rows: one per text_id whose question is of a family: text_id, family, asked_noun,
    question_gap (why the question can't be read so), answer (in the family's vocabulary; null where
    the text gives none), answer_gap (why it gives none),
    named_colors and named_numbers (those of the whole text), number_said (the one at the noun,
    whatever the family), n_mentions (how often the text names
    the noun, whatever it says of it), is_asserted and is_denied (that the thing is there).
-#}
{% macro text_readings(texts) -%}
    {%- set neighbours %}partition by text_id order by position{% endset -%}
with
asked_nouns as (
    select * from {{ ref('lexicon__asked_nouns') }}
),

asked_texts as (
    select
        texts.text_id,
        texts.text,
        asked_nouns.family,
        asked_nouns.asked_noun,
        asked_nouns.asked_modifiers,
        asked_nouns.asked_owner,
        asked_nouns.asked_restriction,
        asked_nouns.question_gap
    from {{ texts }} as texts
    inner join asked_nouns
        on texts.question = asked_nouns.question
),

-- a text that several questions are asked of is read once
distinct_texts as (
    select
        min(text_id) as text_id,
        text
    from asked_texts
    group by text
),

text_words as (
    {{ phrase_words('distinct_texts') }}
),

restricting_words as (
    select
        *,
        case
            when
                word_class not in ('article', 'determiner', 'copula', 'existential', 'punctuation')
                then noun
        end as content_noun
    from text_words
),

content_words as (
    select
        *,
        count(content_noun) over (
            {{ neighbours }} rows between unbounded preceding and current row
        ) as n_content_words
    from restricting_words
),

collected_texts as (
    select
        text_id,
        {{ list_sort_distinct(array_agg_unordered('color_said')) }} as named_colors,
        {{ list_sort_distinct(array_agg_unordered('number_said')) }} as named_numbers,
        min(case when effect = 'likens' then position end) as likened_from,
        {{ array_agg('content_noun', order_by='position') }} as all_content_nouns
    from content_words
    group by text_id
),

texts_read as (
    select
        text_id,
        named_colors,
        named_numbers,
        likened_from,
        {{ list_filter('all_content_nouns', 'noun', 'noun is not null') }} as content_nouns
    from collected_texts
),

phrases as (
    select
        text_id,
        phrase,
        max(case when is_head_class then position end) as head_position,
        max(number_said) as number_said,
        count(number_said) as n_numbers,
        max(color_said) as color_said,
        count(case when word_class = 'color' then 1 end) as n_colors,
        {{ array_agg_unordered('noun') }} as phrase_nouns,
        count(case when effect = 'counts_one' then 1 end) > 0 as is_one,
        count(case when word_class = 'quantifier' then 1 end) > 0 as has_quantifier,
        count(case when word_class = 'imitation' then 1 end) as n_imitations,
        count(case when word_class = 'possessive' then 1 end) > 0 as has_possessor,
        -- "brown haired" is no colour of what follows
        count(
            case
                when
                    word_class = 'color'
                    and {{ regexp_matches('next_word', 'ed$') }}
                    and next_class <> 'adjective'
                    then 1
            end
        ) > 0 as has_partial_color,
        {{ min_by('previous_word', 'position') }} as previous_word,
        {{ min_by('previous_class', 'position') }} as previous_class,
        {{ min_by('previous_effect', 'position') }} as previous_effect,
        {{ min_by('noun_before_last', 'position') }} as noun_before_last,
        {{ min_by('class_before_last', 'position') }} as class_before_last,
        {{ min_by('effect_before_last', 'position') }} as effect_before_last
    from content_words
    where phrase is not null
    group by text_id, phrase
),

-- "one", "two others": phrases without a noun count what another phrase names
texts_counting_elsewhere as (
    select distinct text_id
    from phrases
    where
        head_position is null
        and (n_numbers > 0 or has_quantifier)
),

-- wherever the text has the asked noun or a kind of it, whatever it says of it
mentions as (
    select
        asked_texts.text_id,
        asked_texts.asked_owner,
        asked_texts.asked_modifiers,
        asked_texts.asked_restriction,
        text_words.text_id as read_text_id,
        text_words.position,
        text_words.phrase,
        text_words.word,
        text_words.word_class,
        text_words.noun,
        text_words.previous_class,
        text_words.next_class,
        text_words.second_next_class,
        text_words.second_next_color,
        text_words.third_next_class,
        text_words.third_next_word,
        text_words.n_content_words,
        coalesce(noun_kinds.is_certain, true) as is_certain
    from asked_texts
    inner join distinct_texts
        on asked_texts.text = distinct_texts.text
    inner join content_words as text_words
        on distinct_texts.text_id = text_words.text_id
    left join {{ ref('noun_kinds') }} as noun_kinds
        on
            text_words.noun = noun_kinds.noun
            and asked_texts.asked_noun = noun_kinds.kind
    where
        text_words.word_class not in ('punctuation', 'article')
        and (text_words.noun = asked_texts.asked_noun or noun_kinds.kind is not null)
),

mentioned_phrases as (
    select
        mentions.*,
        phrases.n_numbers,
        phrases.number_said,
        phrases.n_colors,
        phrases.color_said,
        phrases.is_one,
        phrases.has_quantifier,
        -- "a yellow and a green car"
        phrases.has_partial_color
        or coalesce(
            phrases.previous_class = 'conjunction' and phrases.class_before_last = 'color', false
        ) as has_partial_color,
        phrases.previous_effect,
        coalesce(
            phrases.head_position = mentions.position and mentions.word_class <> 'possessive', false
        ) as is_head,
        coalesce(phrases.previous_class = 'denial', false) as is_denied,
        -- not "toy truck", "statue of a dog", "empty of people", "for a bus", "made to look like a
        -- shoe and a bag", "the dog is not"
        coalesce(
            phrases.n_imitations = case when mentions.word_class = 'imitation' then 1 else 0 end,
            false
        )
        and coalesce(phrases.previous_effect <> 'hedges', true)
        and coalesce(
            phrases.previous_word <> 'of'
            or (
                coalesce(phrases.class_before_last <> 'imitation', true)
                and coalesce(phrases.effect_before_last <> 'empties', true)
            ), true
        )
        and coalesce(
            mentions.next_class <> 'copula' or mentions.second_next_class <> 'denial', true
        )
        and coalesce(mentions.position < texts_read.likened_from, true) as is_real,
        {{ list_intersect_size('mentions.asked_modifiers', 'phrases.phrase_nouns') }}
        = {{ list_length('mentions.asked_modifiers') }} as has_modifiers,
        coalesce(
            mentions.asked_owner is null
            or (
                phrases.has_possessor
                and array_contains(phrases.phrase_nouns, mentions.asked_owner)
            )
            or (
                phrases.previous_word in ('in', 'with', 'wearing', 'wears')
                and phrases.noun_before_last = mentions.asked_owner
            ), false
        ) as has_owner,
        {{ array_join(
            list_slice(
                'texts_read.content_nouns',
                'mentions.n_content_words + 1',
                list_length('texts_read.content_nouns')
            ), "' '"
        ) }} || ' ' as words_behind
    from mentions
    inner join texts_read
        on mentions.read_text_id = texts_read.text_id
    left join phrases
        on
            mentions.read_text_id = phrases.text_id
            and mentions.phrase = phrases.phrase
),

fitting_mentions as (
    select
        *,
        is_head and has_modifiers and is_certain as is_meant,
        has_owner
        and (
            asked_restriction is null
            or substr(words_behind, 1, length(asked_restriction) + 1) = asked_restriction || ' '
            or (
                next_class in ('verb', 'participle')
                and substr(
                    {{ regexp_replace('words_behind', '^[^ ]+ ', '') }},
                    1,
                    length(asked_restriction) + 1
                ) = asked_restriction || ' '
            )
        ) as is_restricted_alike,
        case
            -- "two layer cake": a number counts a noun in the plural, or one right behind it
            when
                n_numbers = 1
                and (
                    number_said = '1'
                    or previous_class = 'number'
                    or word <> noun
                    or {{ regexp_matches('word', 's$') }}
                )
                then number_said
            when n_numbers = 0 and is_one and not is_denied then '1'
        end as number_at_noun,
        case
            -- an "orange" that is asked for has no colour of its own name
            when word_class = 'color' then null
            when n_colors = 1 and not has_partial_color then color_said
            when
                n_colors = 0
                and next_class = 'copula'
                and (
                    third_next_class is null
                    or third_next_class = 'preposition'
                    or third_next_word = '.'
                )
                then second_next_color
        end as color_at_noun
    from mentioned_phrases
),

mentions_of_texts as (
    select
        text_id,
        count(*) as n_mentions,
        count(case when is_head then 1 end) as n_heads,
        count(case when is_meant then 1 end) as n_meant,
        count(case when is_meant and is_real then 1 end) as n_real,
        count(case when is_meant and is_restricted_alike then 1 end) as n_restricted_alike,
        count(case when is_meant and is_denied then 1 end) as n_denied,
        count(
            case when is_meant and is_real and not is_denied and is_restricted_alike then 1 end
        ) as n_asserted,
        max(case when is_meant then number_at_noun end) as number_at_noun,
        max(case when is_meant then n_numbers end) as n_numbers,
        max(case when is_meant then color_at_noun end) as color_at_noun,
        max(case when is_meant then n_colors end) as n_colors,
        bool_or(is_meant and has_quantifier) as has_quantifier,
        bool_or(is_meant and coalesce(previous_effect = 'approximates', false)) as is_approximate
    from fitting_mentions
    group by text_id
),

judged_texts as (
    select
        asked_texts.text_id,
        asked_texts.family,
        asked_texts.asked_noun,
        asked_texts.question_gap,
        texts_read.named_colors,
        texts_read.named_numbers,
        coalesce(mentions_of_texts.n_mentions, 0) as n_mentions,
        coalesce(mentions_of_texts.n_asserted > 0, false) as is_asserted,
        coalesce(mentions_of_texts.n_denied > 0, false) as is_denied,
        case
            when asked_texts.question_gap is not null then asked_texts.question_gap
            when mentions_of_texts.text_id is null then 'not_named'
            when mentions_of_texts.n_heads = 0 then 'named_in_passing'
            when asked_texts.family <> 'existence' and mentions_of_texts.n_mentions > 1
                then 'named_more_than_once'
            when mentions_of_texts.n_meant = 0 then 'named_otherwise'
            when mentions_of_texts.n_restricted_alike = 0 then 'restricted_otherwise'
            when mentions_of_texts.n_real = 0 then 'not_a_real_one'
        end as mention_gap,
        mentions_of_texts.number_at_noun,
        mentions_of_texts.n_numbers,
        mentions_of_texts.color_at_noun,
        mentions_of_texts.n_colors,
        mentions_of_texts.has_quantifier,
        mentions_of_texts.is_approximate,
        texts_counting_elsewhere.text_id is not null as is_counting_elsewhere
    from asked_texts
    inner join distinct_texts
        on asked_texts.text = distinct_texts.text
    inner join texts_read
        on distinct_texts.text_id = texts_read.text_id
    left join mentions_of_texts
        on asked_texts.text_id = mentions_of_texts.text_id
    left join texts_counting_elsewhere
        on distinct_texts.text_id = texts_counting_elsewhere.text_id
),

gaps as (
    select
        *,
        case
            when mention_gap is not null then mention_gap
            when family = 'existence' and is_asserted and is_denied then 'denied_and_asserted'
            when family = 'existence' and not is_asserted and not is_denied
                then 'neither_denied_nor_asserted'
            when family = 'count' and is_denied then null
            when family = 'attribute_color' and is_denied then 'denied'
            when family = 'count' and (is_counting_elsewhere or has_quantifier)
                then 'counted_elsewhere'
            when family = 'count' and is_approximate then 'number_is_approximate'
            when family = 'count' and n_numbers > 1 then 'several_numbers'
            when family = 'count' and number_at_noun is null then 'no_number'
            when family = 'attribute_color' and n_colors > 1 then 'several_colors'
            when family = 'attribute_color' and color_at_noun is null then 'no_color'
        end as answer_gap
    from judged_texts
)

select
    text_id,
    family,
    asked_noun,
    question_gap,
    case
        when answer_gap is not null then null
        when family = 'existence' and is_asserted then 'yes'
        when family = 'existence' then 'no'
        when family = 'count' and is_denied then '0'
        when family = 'count' then number_at_noun
        else color_at_noun
    end as answer,
    answer_gap,
    {{ list_filter('named_colors', 'color', 'color is not null') }} as named_colors,
    {{ list_filter('named_numbers', 'number', 'number is not null') }} as named_numbers,
    number_at_noun as number_said,
    n_mentions,
    is_asserted,
    is_denied
from gaps
{%- endmacro %}


{#-
    Where texts mention objects by the phrases of the seed `object_words`: one row `text_id, category,
    phrase, is_certain, position, end_position` a mention, places counted from 1 and the end past the
    last token. A phrase inside a longer one does not count: "hot dog" names no dog. `texts` has
    text_id and tokens.
-#}
{% macro object_mentions(texts) -%}
    {%- set last_token %}
    positions.position + {{ list_length('phrases.phrase_tokens') }} - 1
    {%- endset -%}
    with

    phrases as (
        select
            phrase,
            category,
            is_certain,
            {{ tokens('phrase') }} as phrase_tokens
        from {{ ref('object_words') }}
    ),

    positions as (
        select
            text_id,
            tokens,
            {{ unnest_list(integer_series(1, list_length('tokens'))) }} as position
        from {{ texts }}
    ),

    all_mentions as (
        select
            positions.text_id,
            phrases.category,
            phrases.phrase,
            phrases.is_certain,
            positions.position,
            positions.position + {{ list_length('phrases.phrase_tokens') }} as end_position
        from positions
        inner join phrases
            on
                {{ list_extract('positions.tokens', 'positions.position') }}
                = {{ list_extract('phrases.phrase_tokens', 1) }}
        where
            {{ list_slice('positions.tokens', 'positions.position', last_token) }}
            = phrases.phrase_tokens
    ),

    mentions_within_longer as (
        select distinct
            all_mentions.text_id,
            all_mentions.position,
            all_mentions.end_position
        from all_mentions
        inner join all_mentions as longer
            on
                all_mentions.text_id = longer.text_id
                and longer.end_position - longer.position
                > all_mentions.end_position - all_mentions.position
        where
            all_mentions.position >= longer.position
            and all_mentions.end_position <= longer.end_position
    )

    select all_mentions.*
    from all_mentions
    left join mentions_within_longer as within_longer
        on
            all_mentions.text_id = within_longer.text_id
            and all_mentions.position = within_longer.position
            and all_mentions.end_position = within_longer.end_position
    where within_longer.text_id is null
{%- endmacro %}
