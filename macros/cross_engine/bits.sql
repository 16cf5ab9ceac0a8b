{#-
    Bitmaps of 63 bits in one bigint.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/numeric
    Spark: https://spark.apache.org/docs/latest/api/sql/index.html#shiftleft
-#}

{#- A bigint with the bit `position` (0..62) set. -#}
{% macro bit_at(position) -%}
    {{ return(adapter.dispatch('bit_at', 'gainsay')(position)) }}
{%- endmacro %}

{% macro duckdb__bit_at(position) -%}
    (cast(1 as bigint) << cast({{ position }} as bigint))
{%- endmacro %}

{% macro spark__bit_at(position) -%}
    shiftleft(cast(1 as bigint), cast({{ position }} as int))
{%- endmacro %}
