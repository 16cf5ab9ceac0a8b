{#- Words as their tokens with one space between them, without an article in front. -#}
{% macro plain_words(text) -%}
    {{ regexp_replace(
        array_join(tokens(text), "' '"), '^(a|an|the) ', ''
    ) }}
{%- endmacro %}


{#- The tokens of a text without a and an, which an edit may have to change along. -#}
{% macro tokens_without_articles(text) -%}
    {{ list_filter(tokens(text), 'token', "token not in ('a', 'an')") }}
{%- endmacro %}


{#- Words of an answer as they stand in a text without a and an: "behind a bus" is behind bus. -#}
{% macro plain_answer(text) -%}
    {{ regexp_replace(plain_words(text), ' (a|an) ', ' ') }}
{%- endmacro %}


{#- Whether all words of `words` are in the token list `found`. -#}
{% macro has_all_words(found, words) -%}
    ({{ list_length(words) }} > 0 and {{ list_length(list_intersect(words, found)) }} = {{ list_length(words) }})
{%- endmacro %}


{#- Texts as alternatives of a regular expression that finds these very texts. -#}
{% macro text_patterns(texts) -%}
    {%- set patterns = [] -%}
    {%- for text in texts -%}{%- do patterns.append(modules.re.escape(text)) -%}{%- endfor -%}
    {{ return(patterns | join('|')) }}
{%- endmacro %}
