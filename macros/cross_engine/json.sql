{#-
    JSON in texts.
    DuckDB: https://duckdb.org/docs/stable/data/json/json_functions
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#json-functions
-#}

{#- The text at `path` of a JSON text; null where there is none, or the text is no JSON. -#}
{% macro json_extract_string(json, path) -%}
    {{ return(adapter.dispatch('json_extract_string', 'gainsay')(json, path)) }}
{%- endmacro %}

{% macro default__json_extract_string(json, path) -%}
    {{ missing_on_this_engine('json_extract_string') }}
{%- endmacro %}

{% macro duckdb__json_extract_string(json, path) -%}
    case when json_valid({{ json }}) then json_extract_string({{ json }}, '{{ path }}') end
{%- endmacro %}

{% macro spark__json_extract_string(json, path) -%}
    get_json_object({{ json }}, '{{ path }}')
{%- endmacro %}


{#- What stands at `path` of a JSON text: string, boolean or other; null for nothing or null. -#}
{% macro json_type(json, path) -%}
    {{ return(adapter.dispatch('json_type', 'gainsay')(json, path)) }}
{%- endmacro %}

{% macro default__json_type(json, path) -%}
    {{ missing_on_this_engine('json_type') }}
{%- endmacro %}

{% macro duckdb__json_type(json, path) -%}
    case
        when json_valid({{ json }})
            then
                case json_type({{ json }}, '{{ path }}')
                    when 'VARCHAR' then 'string'
                    when 'BOOLEAN' then 'boolean'
                    when 'NULL' then null
                    else case when json_exists({{ json }}, '{{ path }}') then 'other' end
                end
    end
{%- endmacro %}

{#- Spark types JSON by literal paths alone; a field at the top shows by the quote behind it. -#}
{% macro spark__json_type(json, path) -%}
    case
        when get_json_object({{ json }}, '{{ path }}') is null then null
        when
            {{ json }} rlike concat(
                '\"', substr('{{ path }}', 3), '\"[ \\t\\n\\r]*:[ \\t\\n\\r]*\"'
            )
            then 'string'
        when get_json_object({{ json }}, '{{ path }}') in ('true', 'false') then 'boolean'
        else 'other'
    end
{%- endmacro %}
