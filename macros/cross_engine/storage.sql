{#-
    In which order a table keeps its rows. No result depends on it, only how near to each other in
    memory the rows lie that a join looks at together.
    DuckDB: https://duckdb.org/docs/stable/guides/performance/indexing
-#}

{#- The end of a model's query whose rows are kept in the order of some columns. -#}
{% macro stored_by(columns) -%}
    {{ return(adapter.dispatch('stored_by', 'gainsay')(columns)) }}
{%- endmacro %}

{% macro duckdb__stored_by(columns) -%}
    order by {{ columns | join(', ') }}
{%- endmacro %}

{#- its joins shuffle the rows by their keys, whatever order they come in -#}
{% macro spark__stored_by(columns) -%}
{%- endmacro %}
