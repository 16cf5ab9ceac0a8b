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
    {%- endcall %}
    {{ run_hooks(post_hooks) }}
    {%- do adapter.commit() %}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}
