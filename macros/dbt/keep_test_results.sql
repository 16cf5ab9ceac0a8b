{#-
    On run end: dbt replaces a test's result at the next run; `audit.audit__test_results`
    keeps them all, one row per test and invocation, those of failed builds included.
-#}
{% macro keep_test_results(results) %}
    {%- set rows = [] %}
    {%- for result in results if result.node.resource_type in ('test', 'unit_test') %}
        {%- do rows.append(test_result_row(result)) %}
    {%- endfor %}
    {%- if rows %}
        {%- do run_query('create schema if not exists audit') %}
        {%- do run_query(create_test_results()) %}
        {%- set new_rows -%}
            insert into audit.audit__test_results values {{ rows | join(', ') }}
        {%- endset %}
        {%- do run_query(new_rows) %}
    {%- endif %}
{% endmacro %}


{#- The table as it is described in models/audit/_sources.yml. -#}
{% macro create_test_results() -%}
    create table if not exists audit.audit__test_results (
        invocation_id string,
        test_name string,
        test_kind string,
        tested_nodes string,
        status string,
        message string,
        n_failures bigint,
        seconds double,
        started_at timestamp
    )
{%- endmacro %}


{#- One result of dbt's as a row of the table. -#}
{% macro test_result_row(result) -%}
    {%- set tested_nodes = [] %}
    {#- a generic test names its model; other tests read one or several -#}
    {%- for node_id in [result.node.attached_node] if node_id %}
        {%- do tested_nodes.append(node_id.split('.')[-1]) %}
    {%- else %}
        {%- for node_id in result.node.depends_on.nodes %}
            {%- do tested_nodes.append(node_id.split('.')[-1]) %}
        {%- endfor %}
    {%- endfor %}
    {%- set messages = [result.message] if result.message else [] %}
    {#- dbt counts the rows of a test; of one that asks for several things they say which -#}
    {%- if result.status in ('fail', 'warn') and (result.node.test_metadata or {}).name == 'holds' %}
        {%- set broken = broken_rules(result.node.compiled_code) %}
        {%- do log(([result.node.name] + broken) | join('\n'), info=true) %}
        {%- do messages.extend(broken) %}
    {%- endif %}
    (
        {{ text_literal(invocation_id) }},
        {{ text_literal(result.node.name) }},
        {{ text_literal('unit test' if result.node.resource_type == 'unit_test' else 'data test') }},
        {{ text_literal(tested_nodes | join(', ')) }},
        {{ text_literal(result.status) }},
        {{ text_literal(messages | join('\n')) if messages else 'null' }},
        {{ result.failures if result.failures is not none else 'null' }},
        {{ result.execution_time }},
        cast({{ text_literal(run_started_at.strftime('%Y-%m-%d %H:%M:%S')) }} as timestamp)
    )
{%- endmacro %}
