{#-
    Aggregates whose result must not depend on the order of the rows.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/aggregates
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#aggregate-functions
-#}

{#- The value of the row that comes first by `order_by`. -#}
{% macro first_by(value, order_by) -%}
    {{ return(adapter.dispatch('first_by', 'gainsay')(value, order_by)) }}
{%- endmacro %}

{% macro default__first_by(value, order_by) -%}
    {{ missing_on_this_engine('first_by') }}
{%- endmacro %}

{% macro duckdb__first_by(value, order_by) -%}
    arg_min({{ value }}, {{ order_by }})
{%- endmacro %}

{% macro spark__first_by(value, order_by) -%}
    {#- a null is no value, as for DuckDB -#}
    min_by({{ value }}, case when {{ value }} is not null then {{ order_by }} end)
{%- endmacro %}


{#- The values of a group as a list, in ascending order of `order_by`. -#}
{% macro list_by(value, order_by) -%}
    {{ return(adapter.dispatch('list_by', 'gainsay')(value, order_by)) }}
{%- endmacro %}

{% macro default__list_by(value, order_by) -%}
    {{ missing_on_this_engine('list_by') }}
{%- endmacro %}

{% macro duckdb__list_by(value, order_by) -%}
    list({{ value }} order by {{ order_by }})
{%- endmacro %}

{% macro spark__list_by(value, order_by) -%}
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
{% macro lines_by(value, order_by) -%}
    {{ return(adapter.dispatch('lines_by', 'gainsay')(value, order_by)) }}
{%- endmacro %}

{% macro default__lines_by(value, order_by) -%}
    {{ missing_on_this_engine('lines_by') }}
{%- endmacro %}

{% macro duckdb__lines_by(value, order_by) -%}
    string_agg({{ value }}, chr(10) order by {{ order_by }})
{%- endmacro %}

{% macro spark__lines_by(value, order_by) -%}
    listagg({{ value }}, chr(10)) within group (order by {{ order_by }} nulls last)
{%- endmacro %}


{#- Whether the condition is true of any row of a group. -#}
{% macro any_true(condition) -%}
    {{ return(adapter.dispatch('any_true', 'gainsay')(condition)) }}
{%- endmacro %}

{% macro default__any_true(condition) -%}
    {{ missing_on_this_engine('any_true') }}
{%- endmacro %}

{% macro duckdb__any_true(condition) -%}
    bool_or({{ condition }})
{%- endmacro %}

{% macro spark__any_true(condition) -%}
    bool_or({{ condition }})
{%- endmacro %}


{#- The values of a group as a list, in no order that may be relied on. -#}
{% macro list_of_rows(value) -%}
    {{ return(adapter.dispatch('list_of_rows', 'gainsay')(value)) }}
{%- endmacro %}

{% macro default__list_of_rows(value) -%}
    {{ missing_on_this_engine('list_of_rows') }}
{%- endmacro %}

{% macro duckdb__list_of_rows(value) -%}
    list({{ value }})
{%- endmacro %}

{% macro spark__list_of_rows(value) -%}
    transform(collect_list(named_struct('value', {{ value }})), listed -> listed.value)
{%- endmacro %}
