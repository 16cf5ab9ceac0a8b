{#-
    JSON in texts.
    DuckDB: https://duckdb.org/docs/stable/data/json/json_functions
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#json-functions
-#}

{#- The text at `path` of a JSON text; null where there is none, or the text is no JSON. -#}
{% macro json_extract_string(json, path) -%}
    {{ return(adapter.dispatch('json_extract_string', 'gainsay')(json, path)) }}
{%- endmacro %}

{% macro duckdb__json_extract_string(json, path) -%}
    case when json_valid({{ json }}) then json_extract_string({{ json }}, '{{ path }}') end
{%- endmacro %}

{% macro spark__json_extract_string(json, path) -%}
    get_json_object({{ json }}, '{{ path }}')
{%- endmacro %}


{#- The text in a field at the top of a JSON text; null where there is none, or it is no JSON. -#}
{% macro json_field(json, field) -%}
    {{ return(adapter.dispatch('json_field', 'gainsay')(json, field)) }}
{%- endmacro %}

{% macro duckdb__json_field(json, field) -%}
    case when json_valid({{ json }}) then json_extract_string({{ json }}, '$.' || {{ field }}) end
{%- endmacro %}

{% macro spark__json_field(json, field) -%}
    get_json_object({{ json }}, '$.' || {{ field }})
{%- endmacro %}


{#- What stands in a field of a JSON text: string, boolean or other; null for nothing or null. -#}
{% macro json_field_type(json, field) -%}
    {{ return(adapter.dispatch('json_field_type', 'gainsay')(json, field)) }}
{%- endmacro %}

{% macro duckdb__json_field_type(json, field) -%}
    case
        when json_valid({{ json }})
            then
                case json_type({{ json }}, '$.' || {{ field }})
                    when 'VARCHAR' then 'string'
                    when 'BOOLEAN' then 'boolean'
                    when 'NULL' then null
                    else case when json_exists({{ json }}, '$.' || {{ field }}) then 'other' end
                end
    end
{%- endmacro %}

{#- Spark does not say a JSON value's type; a text shows by the quote behind its field. -#}
{% macro spark__json_field_type(json, field) -%}
    case
        when get_json_object({{ json }}, '$.' || {{ field }}) is null then null
        when
            {{ json }} rlike concat('\"', {{ field }}, '\"[ \\t\\n\\r]*:[ \\t\\n\\r]*\"')
            then 'string'
        when get_json_object({{ json }}, '$.' || {{ field }}) in ('true', 'false') then 'boolean'
        else 'other'
    end
{%- endmacro %}


{#-
    A JSON object of the given fields in their order, as text; a null is a field with null. A double
    without a fraction keeps its `.0`.
-#}
{% macro json_object() -%}
    {{ return(adapter.dispatch('json_object', 'gainsay')(kwargs)) }}
{%- endmacro %}

{% macro duckdb__json_object(fields) -%}
    cast(json_object(
        {%- for name, value in fields.items() -%}
            '{{ name }}', {{ value }}{{ ', ' if not loop.last }}
        {%- endfor -%}
    ) as varchar)
{%- endmacro %}

{% macro spark__json_object(fields) -%}
    to_json(named_struct(
        {%- for name, value in fields.items() -%}
            '{{ name }}', {{ value }}{{ ', ' if not loop.last }}
        {%- endfor -%}
    ), map('ignoreNullFields', 'false'))
{%- endmacro %}


{#- A list of JSON texts as one JSON text; of none `[]`. -#}
{% macro json_list(list) -%}
    '[' || coalesce({{ array_join(list, "','") }}, '') || ']'
{%- endmacro %}
