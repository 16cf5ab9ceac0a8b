-- a word of any script, one character of Chinese, which puts no spaces between words, and what ends
-- a sentence
{%- set sentence_end = '.!?。？！؟।' %}
{%- set word_pattern %}\p{Han}|[\p{L}\p{M}\p{N}]+|[{{ sentence_end }}]{% endset %}
{%- set last_sentence_pattern %}[^{{ sentence_end }}]+[{{ sentence_end }} ]*${% endset %}
with
examples as (
    select * from {{ ref('audit__blind_examples') }}
),

-- most texts stand in several examples
texts as (
    select distinct view_number, text_key, question, context, choices from examples
),

choices as (
    select
        view_number, text_key,
        lower(context) as context,
        {{ unnest_list(regexp_extract_all('choices', '[(][A-Z][)] [^\\n]*')) }} as choice
    from texts
    where choices is not null
),

parts as (
    select view_number, text_key, 'question' as part, {{ lower_text('question') }} as text
    from texts
    where question is not null
    union all
    select view_number, text_key, 'text' as part, {{ lower_text('context') }} as text
    from texts
    where context is not null
    union all
    select
        view_number, text_key,
        'choice ' || substr(choice, 2, 1) as part,
        {{ lower_text('substr(choice, 5)') }} as text
    from choices
),

worded_parts as (
    select
        view_number, text_key, part,
        {{ regexp_extract_all('text', word_pattern) }} as words,
        {{ regexp_extract_all(
            regexp_extract('text', last_sentence_pattern), word_pattern
        ) }} as last_words
    from parts
),

{% set is_sentence_end = regexp_matches('word', '[' ~ sentence_end ~ ']') -%}
measured_parts as (
    select
        *,
        {{ list_length('words') }} as n_words,
        {{ list_length(list_filter('words', 'word', is_sentence_end)) }} as n_sentence_ends,
        {{ list_length('last_words') }} as n_last_words,
        {{ list_extract('words', 1) }} as first_word,
        {{ list_extract('last_words', 1) }} || ' ' || {{ list_extract('last_words', 2) }}
            as last_opening
    from worded_parts
),

{% set neighbours -%}
    {{ list_extract('words', 'place') }} || ' ' || {{ list_extract('words', 'place + 1') }}
{%- endset -%}
{%- set forms = list_value(
    "'^ ' || first_word",
    "'#words=' || n_words",
    "'#sentence_ends=' || n_sentence_ends",
    "'#last_words=' || case when n_last_words < n_words then n_last_words end",
    "'#last_opening=' || case when n_last_words < n_words then last_opening end",
) -%}
{%- set pairs -%}
    {{ list_transform(integer_series(1, 'n_words - 1'), 'place', neighbours) }}
{%- endset -%}
{%- set neighbour_pairs -%}
    case when n_words > 1 then {{ pairs }} else {{ empty_list('string') }} end
{%- endset -%}
-- each word and pair of neighbours once a text, `^` as what the first word follows, and the form of
-- the text and, where it has several sentences, of its last one
part_features as (
    select
        view_number, text_key, part,
        {{ list_sort_distinct(list_concat(
            list_concat('words', forms), neighbour_pairs
        )) }} as features
    from measured_parts
),

-- a choice may be right because it is the longest, or because the text names it
choice_forms as (
    select
        view_number, text_key, 'choices' as part,
        {{ min_by(
            'substr(choice, 2, 1)',
            struct_pack(size='-length(choice)', letter='substr(choice, 2, 1)')
        ) }} as longest_letter,
        min(case
            when replace(context, lower(substr(choice, 5)), '') <> context
                then substr(choice, 2, 1)
        end) as named_letter
    from choices
    group by view_number, text_key
),

features as (
    select view_number, text_key, part, {{ unnest_list('features') }} as words
    from part_features
    union all
    select
        view_number, text_key, part,
        {{ unnest_list(list_value(
            "'#longest=' || longest_letter", "'#named=' || named_letter"
        )) }} as words
    from choice_forms
)

{% set feature_digits -%}
    substr(md5(view_number || '|' || part || '|' || words), 1, 15)
{%- endset -%}
select
    part, words, view_number, text_key,
    {{ hex_to_bigint(feature_digits) }} as feature_key
from features
