{#-
    Text. Patterns are written so that RE2 and Java's regex read them alike: explicit
    classes, no `\b`, no look-around.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/regular_expressions
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#string-functions
-#}

{#- All matches of `pattern` in `text`, in order. -#}
{% macro regexp_extract_all(text, pattern) -%}
    {{ return(adapter.dispatch('regexp_extract_all', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro duckdb__regexp_extract_all(text, pattern) -%}
    regexp_extract_all({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__regexp_extract_all(text, pattern) -%}
    regexp_extract_all({{ text }}, {{ java_pattern(pattern) }}, 0)
{%- endmacro %}


{#- The first match of `pattern` in `text`; empty without one. -#}
{% macro regexp_extract(text, pattern) -%}
    {{ return(adapter.dispatch('regexp_extract', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro duckdb__regexp_extract(text, pattern) -%}
    regexp_extract({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__regexp_extract(text, pattern) -%}
    regexp_extract({{ text }}, {{ java_pattern(pattern) }}, 0)
{%- endmacro %}


{#- `text` with every match of `pattern` replaced. -#}
{% macro regexp_replace(text, pattern, replacement) -%}
    {{ return(adapter.dispatch('regexp_replace', 'gainsay')(text, pattern, replacement)) }}
{%- endmacro %}

{% macro duckdb__regexp_replace(text, pattern, replacement) -%}
    regexp_replace({{ text }}, '{{ pattern }}', '{{ replacement }}', 'g')
{%- endmacro %}

{% macro spark__regexp_replace(text, pattern, replacement) -%}
    regexp_replace({{ text }}, {{ java_pattern(pattern) }}, '{{ replacement }}')
{%- endmacro %}


{#- Whether `pattern` matches somewhere in `text`. -#}
{% macro regexp_matches(text, pattern) -%}
    {{ return(adapter.dispatch('regexp_matches', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro duckdb__regexp_matches(text, pattern) -%}
    regexp_matches({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__regexp_matches(text, pattern) -%}
    regexp_like({{ text }}, {{ java_pattern(pattern) }})
{%- endmacro %}


{#- Whether all of `text` is what the text `pattern` describes, which may be a column. -#}
{% macro regexp_matches_whole(text, pattern) -%}
    {{ return(adapter.dispatch('regexp_matches_whole', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro duckdb__regexp_matches_whole(text, pattern) -%}
    regexp_full_match({{ text }}, {{ pattern }})
{%- endmacro %}

{% macro spark__regexp_matches_whole(text, pattern) -%}
    regexp_like({{ text }}, '^(' || {{ pattern }} || ')\\z')
{%- endmacro %}


{#- The bigint that a text spells; null for any other text. -#}
{% macro try_cast_bigint(text) -%}
    {{ return(adapter.dispatch('try_cast_bigint', 'gainsay')(text)) }}
{%- endmacro %}

{% macro duckdb__try_cast_bigint(text) -%}
    try_cast({{ text }} as bigint)
{%- endmacro %}

{% macro spark__try_cast_bigint(text) -%}
    {#- by way of a decimal, because '7.0' spells an integer, too -#}
    try_cast(round(try_cast({{ text }} as decimal(38, 10))) as bigint)
{%- endmacro %}


{#- What stands between the matches of `pattern` in `text`, the ends included: one more. -#}
{% macro regexp_split(text, pattern) -%}
    {{ return(adapter.dispatch('regexp_split', 'gainsay')(text, pattern)) }}
{%- endmacro %}

{% macro duckdb__regexp_split(text, pattern) -%}
    regexp_split_to_array({{ text }}, '{{ pattern }}')
{%- endmacro %}

{% macro spark__regexp_split(text, pattern) -%}
    split({{ text }}, {{ java_pattern(pattern) }}, -1)
{%- endmacro %}


{#- A text in lower case, each character by itself: a simple case mapping. -#}
{% macro lower_text(text) -%}
    {{ return(adapter.dispatch('lower_text', 'gainsay')(text)) }}
{%- endmacro %}

{% macro duckdb__lower_text(text) -%}
    lower({{ text }})
{%- endmacro %}

{% macro spark__lower_text(text) -%}
    {#- the two characters whose full mapping is longer, or depends on what stands behind -#}
    lower(translate({{ text }}, 'İΣ', 'iσ'))
{%- endmacro %}


{#-
    A pattern as a literal that Java reads as RE2 does: a line ends with \n alone, `$` is the end of
    the text, not the place before a last line break, and Chinese is a script by `Is`.
-#}
{% macro java_pattern(pattern) -%}
    {%- set script = pattern | replace('p{Han}', 'p{IsHan}') -%}
    r"(?d){{ script | replace("''", "'") | replace('$', '\\z') }}"
{%- endmacro %}


{#- Any value as a text literal. -#}
{% macro text_literal(value) -%}
    {{ return(adapter.dispatch('text_literal', 'gainsay')(value | string)) }}
{%- endmacro %}

{% macro duckdb__text_literal(text) -%}
    '{{ text | replace("'", "''") }}'
{%- endmacro %}

{% macro spark__text_literal(text) -%}
    '{{ text | replace('\\', '\\\\') | replace("'", "\\'") }}'
{%- endmacro %}
