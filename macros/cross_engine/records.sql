{#-
    Structs.
    DuckDB: https://duckdb.org/docs/stable/sql/data_types/struct
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
