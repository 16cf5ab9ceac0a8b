{#-
    Structs.
    DuckDB: https://duckdb.org/docs/stable/sql/data_types/struct
    Spark: https://spark.apache.org/docs/latest/api/sql/index.html#named_struct
-#}

{#- A struct of the given fields. -#}
{% macro record_of() -%}
    {{ return(adapter.dispatch('record_of', 'gainsay')(kwargs)) }}
{%- endmacro %}

{% macro default__record_of(fields) -%}
    {{ missing_on_this_engine('record_of') }}
{%- endmacro %}

{% macro duckdb__record_of(fields) -%}
    struct_pack(
        {%- for name, value in fields.items() -%}
            {{ name }} := {{ value }}{{ ', ' if not loop.last }}
        {%- endfor -%}
    )
{%- endmacro %}

{% macro spark__record_of(fields) -%}
    named_struct(
        {%- for name, value in fields.items() -%}
            '{{ name }}', {{ value }}{{ ', ' if not loop.last }}
        {%- endfor -%}
    )
{%- endmacro %}


{#- One field of a struct. -#}
{% macro field_of(record, name) -%}
    {{ return(adapter.dispatch('field_of', 'gainsay')(record, name)) }}
{%- endmacro %}

{% macro default__field_of(record, name) -%}
    {{ missing_on_this_engine('field_of') }}
{%- endmacro %}

{% macro duckdb__field_of(record, name) -%}
    struct_extract({{ record }}, '{{ name }}')
{%- endmacro %}

{% macro spark__field_of(record, name) -%}
    ({{ record }}).{{ name }}
{%- endmacro %}
