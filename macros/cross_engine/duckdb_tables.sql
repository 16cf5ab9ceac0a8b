{#-
    How tables and views are kept in DuckDB, whose transactions hold definitions as well: the former
    table is dropped and the new one made in one of them, so that a build that is killed leaves the
    former one. dbt-duckdb's own way is to make a second table and to rename both: five statements
    more for each model, which take longer than most models.
    DuckDB: https://duckdb.org/docs/stable/sql/statements/transactions
-#}

{% materialization table, adapter='duckdb' %}
    {%- set existing = load_cached_relation(this) %}
    {%- if existing is not none and not existing.is_table %}
        {{ return(dbt.materialization_table_duckdb()) }}
    {%- endif %}
    {%- set target_relation = this.incorporate(type='table') %}
    {{ run_hooks(pre_hooks) }}
    {%- call statement('main') -%}
        drop table if exists {{ target_relation }};
        {{ create_table_as(false, target_relation, compiled_code) }}
        {{ comments_of_model(target_relation) }}
    {%- endcall %}
    {{ run_hooks(post_hooks) }}
    {%- do adapter.commit() %}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}


{% materialization view, adapter='duckdb' %}
    {%- set existing = load_cached_relation(this) %}
    {%- if existing is not none and not existing.is_view %}
        {{ return(dbt.materialization_view_default()) }}
    {%- endif %}
    {%- set target_relation = this.incorporate(type='view') %}
    {{ run_hooks(pre_hooks) }}
    {%- call statement('main') -%}
        drop view if exists {{ target_relation }};
        {{ get_create_view_as_sql(target_relation, sql) }}
        {{ comments_of_model(target_relation) }}
    {%- endcall %}
    {{ run_hooks(post_hooks) }}
    {%- do adapter.commit() %}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}


{#-
    What `persist_docs` asks for, behind the statement that makes the relation. dbt's own way asks
    the catalog twice of each model which columns are there, which takes longer than to make most of
    them; here a contract says it, and of other models the relation alone is commented.
-#}
{% macro comments_of_model(relation) -%}
    {%- set columns = {} %}
    {%- if config.persist_column_docs() and config.get('contract').enforced %}
        {%- set columns = model.columns %}
    {%- endif %}
    {%- set description = model.description if config.persist_relation_docs() else '' %}
    {{ comments_on(relation, relation.type, description, columns) }}
{%- endmacro %}


{#- Statements that comment a relation of a kind, table or view, and its columns, where they have a text. -#}
{% macro comments_on(relation, kind, description, columns) -%}
    {%- if description %}
    comment on {{ kind }} {{ relation }} is {{ duckdb__text_literal(description | trim) }};
    {%- endif %}
    {%- for column in columns.values() if column.description %}
    comment on column {{ relation }}.{{ column.name }} is
    {{ duckdb__text_literal(column.description | trim) }};
    {%- endfor %}
{%- endmacro %}
