{#-
    Aggregates whose result must not depend on the order of the rows.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/aggregates
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#aggregate-functions
-#}

{#- The value of the row that comes first by `order_by`. -#}
{% macro min_by(value, order_by) -%}
    {{ return(adapter.dispatch('min_by', 'gainsay')(value, order_by)) }}
{%- endmacro %}

{% macro duckdb__min_by(value, order_by) -%}
    arg_min({{ value }}, {{ order_by }})
{%- endmacro %}

{% macro spark__min_by(value, order_by) -%}
    {#- a null is no value, as for DuckDB -#}
    min_by({{ value }}, case when {{ value }} is not null then {{ order_by }} end)
{%- endmacro %}


{#- The first `n` values of a group, those that come first by `order_by`, in that order. -#}
{% macro first_values_by(value, order_by, n) -%}
    {{ return(adapter.dispatch('first_values_by', 'gainsay')(value, order_by, n)) }}
{%- endmacro %}

{% macro duckdb__first_values_by(value, order_by, n) -%}
    arg_min({{ value }}, {{ order_by }}, {{ n }})
{%- endmacro %}

{% macro spark__first_values_by(value, order_by, n) -%}
    slice({{ array_agg(value, order_by) }}, 1, {{ n }})
{%- endmacro %}


{#- The values of a group as a list, in ascending order of `order_by`. -#}
{% macro array_agg(value, order_by) -%}
    {{ return(adapter.dispatch('array_agg', 'gainsay')(value, order_by)) }}
{%- endmacro %}

{% macro duckdb__array_agg(value, order_by) -%}
    list({{ value }} order by {{ order_by }})
{%- endmacro %}

{% macro spark__array_agg(value, order_by) -%}
    {#- records, because Spark's lists of rows leave nulls out; nulls come last -#}
    transform(
        array_sort(collect_list(named_struct(
            'is_unplaced', {{ order_by }} is null,
            'place', {{ order_by }},
            'value', {{ value }}
        ))),
        placed -> placed.value
    )
{%- endmacro %}


{#- The values of a group in ascending order, one on each line. -#}
{% macro listagg_lines(value, order_by) -%}
    {{ return(adapter.dispatch('listagg_lines', 'gainsay')(value, order_by)) }}
{%- endmacro %}

{#- a list of values in their own order is sorted in less time than pairs are -#}
{% macro duckdb__listagg_lines(value, order_by) -%}
    {%- if value == order_by -%}
    array_to_string(
        list_sort(list({{ value }}) filter (where {{ value }} is not null)), chr(10)
    )
    {%- else -%}
    string_agg({{ value }}, chr(10) order by {{ order_by }})
    {%- endif -%}
{%- endmacro %}

{% macro spark__listagg_lines(value, order_by) -%}
    listagg({{ value }}, chr(10)) within group (order by {{ order_by }} nulls last)
{%- endmacro %}


{#- The values of a group as a list, in no order that may be relied on. -#}
{% macro array_agg_unordered(value) -%}
    {{ return(adapter.dispatch('array_agg_unordered', 'gainsay')(value)) }}
{%- endmacro %}

{% macro duckdb__array_agg_unordered(value) -%}
    list({{ value }})
{%- endmacro %}

{% macro spark__array_agg_unordered(value) -%}
    transform(collect_list(named_struct('value', {{ value }})), listed -> listed.value)
{%- endmacro %}
