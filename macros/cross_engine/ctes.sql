{#-
    How often a common table expression is computed that several others read, where the engine does
    not choose well by itself: `rows as {{ computed_once() }} (select ...)`.
    DuckDB: https://duckdb.org/docs/stable/sql/query_syntax/with
    Spark: https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-cte.html
-#}

{#- Once, and kept while the query runs. -#}
{% macro computed_once() -%}
    {{ return(adapter.dispatch('computed_once', 'gainsay')()) }}
{%- endmacro %}

{% macro duckdb__computed_once() -%}
    materialized
{%- endmacro %}

{#- Spark reads a shuffle twice where two plans are alike, and has no word for it -#}
{% macro spark__computed_once() -%}
{%- endmacro %}


{#- Anew wherever it is read, with the columns alone that are read there. -#}
{% macro computed_where_read() -%}
    {{ return(adapter.dispatch('computed_where_read', 'gainsay')()) }}
{%- endmacro %}

{% macro duckdb__computed_where_read() -%}
    not materialized
{%- endmacro %}

{% macro spark__computed_where_read() -%}
{%- endmacro %}
