{#-
    JSON in texts.
    DuckDB: https://duckdb.org/docs/stable/data/json/json_functions
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#json-functions
-#}

{#- The text at `path` of a JSON text; null where there is none, or the text is no JSON. -#}
{% macro json_text(json, path) -%}
    {{ return(adapter.dispatch('json_text', 'gainsay')(json, path)) }}
{%- endmacro %}

{% macro default__json_text(json, path) -%}
    {{ missing_on_this_engine('json_text') }}
{%- endmacro %}

{% macro duckdb__json_text(json, path) -%}
    case when json_valid({{ json }}) then json_extract_string({{ json }}, '{{ path }}') end
{%- endmacro %}

{% macro spark__json_text(json, path) -%}
    get_json_object({{ json }}, '{{ path }}')
{%- endmacro %}
