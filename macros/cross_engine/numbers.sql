{#-
    Integer arithmetic.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/numeric
    Spark: https://spark.apache.org/docs/latest/api/sql/index.html#div
-#}

{#- How many whole times `divisor` goes into `dividend`; neither is negative. -#}
{% macro integer_division(dividend, divisor) -%}
    {{ return(adapter.dispatch('integer_division', 'gainsay')(dividend, divisor)) }}
{%- endmacro %}

{% macro duckdb__integer_division(dividend, divisor) -%}
    ({{ dividend }} // {{ divisor }})
{%- endmacro %}

{% macro spark__integer_division(dividend, divisor) -%}
    ({{ dividend }} div {{ divisor }})
{%- endmacro %}
