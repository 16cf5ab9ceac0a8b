{#-
    How tables are kept on Spark, whose files have no transactions: every build writes a
    version of its own into the schema `gainsay_store`, and the table that users read is a
    view of the newest whole one. To alter a view is one step of the metastore, so a build
    that is killed, or loses a worker, leaves the former version in its place.
    Spark: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-alter-view.html
-#}

{#- The name of the version of `relation` that this run writes. -#}
{% macro spark_version(relation) -%}
    {{ return(spark_versions(relation) ~ (invocation_id | replace('-', ''))) }}
{%- endmacro %}


{#- What the names of all versions of `relation` begin with. -#}
{% macro spark_versions(relation) -%}
    {{ return('gainsay_store.' ~ relation.schema ~ '__' ~ relation.identifier ~ '__v') }}
{%- endmacro %}


{#-
    Let the view `relation` show the rows of `query`, whatever it showed before. dbt wants
    one `statement` of each model to be called main.
-#}
{% macro spark_show(relation, query, statement_name='main') -%}
    {%- set existing = adapter.get_relation(none, relation.schema, relation.identifier) %}
    {%- set verb = 'alter' if existing is not none else 'create' %}
    {%- call statement(statement_name) -%}
        {{ verb }} view {{ relation }} as {{ query }}
    {%- endcall %}
{%- endmacro %}


{#- Drop what earlier runs have written of `relation`. -#}
{% macro spark_forget_versions(relation) -%}
    {%- set newest = spark_version(relation).split('.')[1] %}
    {%- set versions -%}
        show tables in gainsay_store like '{{ spark_versions(relation).split('.')[1] }}*'
    {%- endset %}
    {%- for table in run_query(versions) %}
        {%- if table['tableName'] != newest %}
            {%- set dropped %}drop table if exists gainsay_store.{{ table['tableName'] }}{% endset %}
            {%- do run_query(dropped) %}
        {%- endif %}
    {%- endfor %}
{%- endmacro %}


{#- Write the rows of `query` as the newest version of `relation` and show it. -#}
{% macro spark_replace(relation, query) -%}
    {%- set version = spark_version(relation) %}
    {%- do run_query('create schema if not exists gainsay_store') %}
    {%- call statement('main') -%}
        create table {{ version }} using parquet as
        {{ query }}
    {%- endcall %}
    {%- set rows %}select * from {{ version }}{% endset %}
    {%- do spark_show(relation, rows, statement_name='show') %}
    {%- do spark_forget_versions(relation) %}
{%- endmacro %}


{% materialization table, adapter='spark' %}
    {%- set target_relation = this.incorporate(type='view') %}
    {{ run_hooks(pre_hooks) }}
    {%- set query = sql %}
    {%- if config.get('contract').enforced %}
        {%- do get_assert_columns_equivalent(sql) %}
        {%- set query = get_select_subquery(sql) %}
    {%- endif %}
    {%- do spark_replace(target_relation, query) %}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}


{#- Spark rebuilds all rows; the functions cache what is expensive. -#}
{% materialization incremental, adapter='spark' %}
    {{ return(materialization_table_spark()) }}
{% endmaterialization %}


{% materialization view, adapter='spark' %}
    {%- set target_relation = this.incorporate(type='view') %}
    {{ run_hooks(pre_hooks) }}
    {%- if config.get('contract').enforced %}
        {%- do get_assert_columns_equivalent(sql) %}
    {%- endif %}
    {%- do spark_show(target_relation, sql) %}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}


{% materialization seed, adapter='spark' %}
    {%- set target_relation = this.incorporate(type='view') %}
    {{ run_hooks(pre_hooks) }}
    {%- set cells = load_agate_table() %}
    {%- do spark_replace(target_relation, spark_seed_rows(cells)) %}
    {#- dbt shows them in its log -#}
    {%- do store_result('agate_table', response='', agate_table=cells) %}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}


{#- The rows of a seed's file as a query; an empty cell is null. -#}
{% macro spark_seed_rows(cells) -%}
    {%- set types = model['config'].get('column_types', {}) %}
    select
        {%- for name in cells.column_names %}
        {%- set inferred = adapter.convert_type(cells, loop.index0) %}
        cast({{ name }} as {{ engine_type(types.get(name, inferred)) }}) as {{ name }}
        {%- if not loop.last %},{% endif %}
        {%- endfor %}
    {%- if cells.rows | length == 0 %}
    from values ({% for name in cells.column_names %}null{{ ', ' if not loop.last }}{% endfor %})
    {%- else %}
    from values
        {%- for row in cells.rows %}
        (
            {%- for value in row -%}
            {{ 'null' if value is none else text_literal(value) }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ){{ ',' if not loop.last }}
        {%- endfor %}
    {%- endif %}
        as cells ({{ cells.column_names | join(', ') }})
    {%- if cells.rows | length == 0 %}
    where false
    {%- endif %}
{%- endmacro %}
