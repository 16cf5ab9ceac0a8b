{#-
    Text. Patterns are written so that RE2 and Java's regex read them alike: explicit
    classes, no `\b`, no look-around.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/regular_expressions
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#string-functions
-#}

{#- All matches of `pattern` in `text`, in order. -#}
{% macro all_matches(text, pattern) -%}
    {{ return(adapter.dispatch('all_matches', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro default__all_matches(text, pattern) -%}
    {{ missing_on_this_engine('all_matches') }}
{%- endmacro %}

{% macro duckdb__all_matches(text, pattern) -%}
    regexp_extract_all({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__all_matches(text, pattern) -%}
    regexp_extract_all({{ text }}, {{ java_pattern(pattern) }}, 0)
{%- endmacro %}


{#- The first match of `pattern` in `text`; empty without one. -#}
{% macro first_match(text, pattern) -%}
    {{ return(adapter.dispatch('first_match', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro default__first_match(text, pattern) -%}
    {{ missing_on_this_engine('first_match') }}
{%- endmacro %}

{% macro duckdb__first_match(text, pattern) -%}
    regexp_extract({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__first_match(text, pattern) -%}
    regexp_extract({{ text }}, {{ java_pattern(pattern) }}, 0)
{%- endmacro %}


{#- `text` with every match of `pattern` replaced. -#}
{% macro replace_matches(text, pattern, replacement) -%}
    {{ return(adapter.dispatch('replace_matches', 'gainsay')(text, pattern, replacement)) }}
{%- endmacro %}

{% macro default__replace_matches(text, pattern, replacement) -%}
    {{ missing_on_this_engine('replace_matches') }}
{%- endmacro %}

{% macro duckdb__replace_matches(text, pattern, replacement) -%}
    regexp_replace({{ text }}, '{{ pattern }}', '{{ replacement }}', 'g')
{%- endmacro %}

{% macro spark__replace_matches(text, pattern, replacement) -%}
    regexp_replace({{ text }}, {{ java_pattern(pattern) }}, '{{ replacement }}')
{%- endmacro %}


{#- Whether `pattern` matches somewhere in `text`. -#}
{% macro has_match(text, pattern) -%}
    {{ return(adapter.dispatch('has_match', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro default__has_match(text, pattern) -%}
    {{ missing_on_this_engine('has_match') }}
{%- endmacro %}

{% macro duckdb__has_match(text, pattern) -%}
    regexp_matches({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__has_match(text, pattern) -%}
    regexp_like({{ text }}, {{ java_pattern(pattern) }})
{%- endmacro %}


{#- Whether `part` occurs in `text`, letter by letter. -#}
{% macro contains_text(text, part) -%}
    {{ return(adapter.dispatch('contains_text', 'gainsay')(text, part)) }}
{%- endmacro %}

{% macro default__contains_text(text, part) -%}
    {{ missing_on_this_engine('contains_text') }}
{%- endmacro %}

{% macro duckdb__contains_text(text, part) -%}
    contains({{ text }}, {{ part }})
{%- endmacro %}

{% macro spark__contains_text(text, part) -%}
    contains({{ text }}, {{ part }})
{%- endmacro %}


{#- Each character of `text` that stands in `from_characters` replaced by the one at the same place of `to_characters`, removed where that is shorter. -#}
{% macro translate_characters(text, from_characters, to_characters) -%}
    {{ return(adapter.dispatch('translate_characters', 'gainsay')(
        text, from_characters, to_characters
    )) }}
{%- endmacro %}

{% macro default__translate_characters(text, from_characters, to_characters) -%}
    {{ missing_on_this_engine('translate_characters') }}
{%- endmacro %}

{% macro duckdb__translate_characters(text, from_characters, to_characters) -%}
    translate({{ text }}, {{ from_characters }}, {{ to_characters }})
{%- endmacro %}

{% macro spark__translate_characters(text, from_characters, to_characters) -%}
    translate({{ text }}, {{ from_characters }}, {{ to_characters }})
{%- endmacro %}


{#- The bigint that a text spells; null for any other text. -#}
{% macro integer_or_null(text) -%}
    {{ return(adapter.dispatch('integer_or_null', 'gainsay')(text)) }}
{%- endmacro %}

{% macro default__integer_or_null(text) -%}
    {{ missing_on_this_engine('integer_or_null') }}
{%- endmacro %}

{% macro duckdb__integer_or_null(text) -%}
    try_cast({{ text }} as bigint)
{%- endmacro %}

{% macro spark__integer_or_null(text) -%}
    {#- by way of a decimal, because '7.0' spells an integer, too -#}
    try_cast(round(try_cast({{ text }} as decimal(38, 10))) as bigint)
{%- endmacro %}


{#- What stands between the matches of `pattern` in `text`, the ends included: one more. -#}
{% macro split_at_matches(text, pattern) -%}
    {{ return(adapter.dispatch('split_at_matches', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro default__split_at_matches(text, pattern) -%}
    {{ missing_on_this_engine('split_at_matches') }}
{%- endmacro %}

{% macro duckdb__split_at_matches(text, pattern) -%}
    regexp_split_to_array({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__split_at_matches(text, pattern) -%}
    split({{ text }}, {{ java_pattern(pattern) }}, -1)
{%- endmacro %}


{#- A text in lower case, each character by itself: a simple case mapping. -#}
{% macro lower_text(text) -%}
    {{ return(adapter.dispatch('lower_text', 'gainsay')(text)) }}
{%- endmacro %}

{% macro default__lower_text(text) -%}
    {{ missing_on_this_engine('lower_text') }}
{%- endmacro %}

{% macro duckdb__lower_text(text) -%}
    lower({{ text }})
{%- endmacro %}

{% macro spark__lower_text(text) -%}
    {#- the two characters whose full mapping is longer, or depends on what stands behind -#}
    lower(translate({{ text }}, 'İΣ', 'iσ'))
{%- endmacro %}


{#-
    A pattern as a literal that Java reads as RE2 does: a line ends with \n alone, and `$`
    is the end of the text, not the place before a last line break.
-#}
{% macro java_pattern(pattern) -%}
    r"(?d){{ pattern | replace("''", "'") | replace('$', '\\z') }}"
{%- endmacro %}


{#- Any value as a text literal. -#}
{% macro text_literal(value) -%}
    {{ return(adapter.dispatch('text_literal', 'gainsay')(value | string)) }}
{%- endmacro %}

{% macro default__text_literal(text) -%}
    {{ missing_on_this_engine('text_literal') }}
{%- endmacro %}

{% macro duckdb__text_literal(text) -%}
    '{{ text | replace("'", "''") }}'
{%- endmacro %}

{% macro spark__text_literal(text) -%}
    '{{ text | replace('\\', '\\\\') | replace("'", "\\'") }}'
{%- endmacro %}
