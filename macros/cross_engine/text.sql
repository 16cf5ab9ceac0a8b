{#-
    Text. Patterns are written so that RE2 and Java's regex read them alike: explicit
    classes, no `\b`, no look-around.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/regular_expressions
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
