{#-
    How an engine shares out work that is expensive by the row.
-#}

{#-
    Behind `select`, in the query before the one that calls a function on pictures: share its rows
    out among as many tasks as the var `picture_tasks` says, those of one `column` together. Rows
    that name pictures are small, and Spark would put all of them into one task. DuckDB has a
    function look at whole batches, with all cores.
-#}
{% macro spread_over_tasks(column=none) -%}
    {{ return(adapter.dispatch('spread_over_tasks', 'gainsay')(column)) }}
{%- endmacro %}

{% macro duckdb__spread_over_tasks(column) -%}
{%- endmacro %}

{% macro spark__spread_over_tasks(column) -%}
    /*+ repartition({{ var('picture_tasks') }}{% if column %}, {{ column }}{% endif %}) */
{%- endmacro %}
