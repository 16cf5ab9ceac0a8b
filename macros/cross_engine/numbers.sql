{#-
    Integer arithmetic.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/numeric
    Spark: https://spark.apache.org/docs/latest/api/sql/index.html#div
-#}

{#- How many whole times `divisor` goes into `dividend`; neither is negative. -#}
{% macro quotient(dividend, divisor) -%}
    {{ return(adapter.dispatch('quotient', 'gainsay')(dividend, divisor)) }}
{%- endmacro %}

{% macro default__quotient(dividend, divisor) -%}
    {{ missing_on_this_engine('quotient') }}
{%- endmacro %}

{% macro duckdb__quotient(dividend, divisor) -%}
    ({{ dividend }} // {{ divisor }})
{%- endmacro %}

{% macro spark__quotient(dividend, divisor) -%}
    ({{ dividend }} div {{ divisor }})
{%- endmacro %}
