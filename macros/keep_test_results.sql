{#-
    On run end: dbt replaces a test's result at the next run; `audit__test_results` keeps
    them all, one row per test and invocation.
-#}
{% macro keep_test_results(results) %}
    {%- if execute and flags.WHICH in ('build', 'test') %}
    {%- set table = target.schema and 'audit.audit__test_results' %}
    {%- do run_query('create schema if not exists audit') %}
    {%- do run_query(
        'create table if not exists ' ~ table ~ ' ('
        ~ 'invocation_id ' ~ dbt.type_string() ~ ', test_name ' ~ dbt.type_string()
        ~ ', test_kind ' ~ dbt.type_string() ~ ', tested_model ' ~ dbt.type_string()
        ~ ', status ' ~ dbt.type_string() ~ ', message ' ~ dbt.type_string()
        ~ ', n_failures bigint, seconds double, started_at timestamp)'
    ) %}
    {%- set rows = [] %}
    {%- for result in results if result.node.resource_type in ('test', 'unit_test') %}
        {%- set tested = result.node.attached_node or result.node.tested_node_unique_id
            or (result.node.depends_on.nodes | last) or '' %}
        {%- set texts = [
            invocation_id, result.node.name,
            'unit test' if result.node.resource_type == 'unit_test' else 'data test',
            tested.split('.')[-1], result.status | string, result.message or ''
        ] %}
        {%- set quoted = [] %}
        {%- for text in texts %}
            {%- do quoted.append("'" ~ dbt.escape_single_quotes(text) ~ "'") %}
        {%- endfor %}
        {%- do rows.append(
            '(' ~ quoted | join(', ') ~ ', '
            ~ (result.failures if result.failures is not none else 'null') ~ ', '
            ~ result.execution_time ~ ", cast('"
            ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S') ~ "' as timestamp))"
        ) %}
    {%- endfor %}
    {%- if rows %}
        {%- do run_query('insert into ' ~ table ~ ' values ' ~ rows | join(', ')) %}
    {%- endif %}
    {%- endif %}
{% endmacro %}
