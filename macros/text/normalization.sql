{#- Lower case, runs of white space (Unicode's, too) collapsed to one space, trimmed. -#}
{% macro normalized_text(text) -%}
    {#- printable ASCII with single spaces, as nearly every text is, has nothing to collapse #}
    trim(
        case
            when {{ regexp_matches(text, '[^!-~ ]|  ') }}
                then {{ regexp_replace(
                    lower_text(text), '[\\t\\n\\x0B\\f\\r \\x85\\p{Z}]+', ' '
                ) }}
            else {{ lower_text(text) }}
        end
    )
{%- endmacro %}


{#- Tokens: runs of [a-z0-9] in the lower-cased text, in order, with repetitions. -#}
{% macro tokens(text) -%}
    {{ regexp_extract_all(lower_text(text), '[a-z0-9]+') }}
{%- endmacro %}


{#-
    The text cut behind each of its words: every piece is what stands between two words,
    then the word, so that the pieces before the k-th word's and its own rebuild the text.
-#}
{% macro word_pieces(text) -%}
    {{ regexp_extract_all(text, '[^A-Za-z0-9]*[A-Za-z0-9]+') }}
{%- endmacro %}


{#- Digits without leading zeros, '0' for nothing but zeros: numbers of any length. -#}
{% macro plain_digits(digits) -%}
    coalesce(nullif({{ regexp_replace(digits, '^0+', '') }}, ''), '0')
{%- endmacro %}


{#- The number after plain `digits`, as digits: the last digit below 9 grows by one. -#}
{% macro next_number(digits) -%}
    {%- set kept = regexp_replace(digits, '9+$', '') %}
    substr({{ kept }}, 1, length({{ kept }}) - 1)
    || cast(
        cast(coalesce(nullif(right({{ kept }}, 1), ''), '0') as integer) + 1
        as string
    )
    || repeat('0', length({{ digits }}) - length({{ kept }}))
{%- endmacro %}


{#- The number before plain `digits` other than '0': the last digit above 0 shrinks by one. -#}
{% macro previous_number(digits) -%}
    {%- set kept = regexp_replace(digits, '0+$', '') %}
    {%- set smaller -%}
        substr({{ kept }}, 1, length({{ kept }}) - 1)
        || cast(cast(right({{ kept }}, 1) as integer) - 1 as string)
        || repeat('9', length({{ digits }}) - length({{ kept }}))
    {%- endset %}
    {{ plain_digits(smaller) }}
{%- endmacro %}


{#- `word` with a capital first letter where `model_word` has one. -#}
{% macro capitalized_like(word, model_word) -%}
    case
        when {{ regexp_matches(model_word, '^[A-Z]') }}
            then upper(substr({{ word }}, 1, 1)) || substr({{ word }}, 2)
        else {{ word }}
    end
{%- endmacro %}


{#- Full stops and white space at the end of a text removed. -#}
{% macro without_final_stops(text) -%}
    {{ regexp_replace(text, '[.\\t\\n\\x0B\\f\\r \\x85\\p{Z}]+$', '') }}
{%- endmacro %}


{#-
    The distinct tokens of a text that are longer than `short_token_length` characters and
    not in the list `stop_words`.
-#}
{% macro long_tokens(text, stop_words) -%}
    {%- set is_long -%}
        length(token) > {{ var('short_token_length') }} and not array_contains({{ stop_words }}, token)
    {%- endset %}
    {{ list_sort_distinct(list_filter(tokens(text), 'token', is_long)) }}
{%- endmacro %}


{#- A token as an integer would print where it is digits; otherwise the token itself. -#}
{% macro plain_digit_token(token) -%}
    case when {{ regexp_matches(token, '^[0-9]+$') }} then {{ plain_digits(token) }} else {{ token }} end
{%- endmacro %}


{#-
    A licence as the seed `license_codes` names it: a code, or an address without scheme, www, the
    page in a language and the last slash, in lower case.
-#}
{% macro license_key(license) -%}
    {%- set bare %}{{ regexp_replace(license, '^[a-zA-Z]+://(www[.])?', '') }}{% endset -%}
    lower({{ regexp_replace(bare, '/?(deed[.][a-zA-Z-]+|legalcode)?$', '') }})
{%- endmacro %}
