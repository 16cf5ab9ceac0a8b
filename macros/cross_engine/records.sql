{#-
    Structs.
    DuckDB: https://duckdb.org/docs/stable/sql/data_types/struct
    Spark: https://spark.apache.org/docs/latest/api/sql/index.html#named_struct
-#}

{#- A struct of the given fields. -#}
{% macro struct_pack() -%}
    {{ return(adapter.dispatch('struct_pack', 'gainsay')(kwargs)) }}
{%- endmacro %}

{% macro duckdb__struct_pack(fields) -%}
    struct_pack(
        {%- for name, value in fields.items() -%}
            {{ name }} := {{ value }}{{ ', ' if not loop.last }}
        {%- endfor -%}
    )
{%- endmacro %}

{% macro spark__struct_pack(fields) -%}
    named_struct(
        {%- for name, value in fields.items() -%}
            '{{ name }}', {{ value }}{{ ', ' if not loop.last }}
        {%- endfor -%}
    )
{%- endmacro %}


{#- Behind a `*`: all columns but these. Spark says `except`. -#}
{% macro exclude() -%}
    {{ return(adapter.dispatch('exclude', 'gainsay')(varargs)) }}
{%- endmacro %}

{% macro duckdb__exclude(columns) -%}
    exclude ({{ columns | join(', ') }})
{%- endmacro %}

{% macro spark__exclude(columns) -%}
    except ({{ columns | join(', ') }})
{%- endmacro %}


{#- A row of a relation as JSON, its nulls included. -#}
{% macro row_text(relation) -%}
    {{ return(adapter.dispatch('row_text', 'gainsay')(relation)) }}
{%- endmacro %}

{% macro duckdb__row_text(relation) -%}
    cast(to_json({{ relation }}) as string)
{%- endmacro %}

{% macro spark__row_text(relation) -%}
    to_json(struct({{ relation }}.*), map('ignoreNullFields', 'false'))
{%- endmacro %}
