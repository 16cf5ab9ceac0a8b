{#-
    On run end: which models were built, and what each table of audit and report shows of the
    benchmarks' marts, one row a model and invocation, in `audit.audit__built_models`.
-#}
{% macro keep_built(results) %}
    {%- set rows = [] %}
    {%- for result in results
        if result.node.resource_type == 'model' and result.status == 'success' %}
        {%- do rows.append(built_row(result.node)) %}
    {%- endfor %}
    {%- if rows %}
        {%- do run_query('create schema if not exists audit') %}
        {%- do run_query(create_built_models()) %}
        {%- set new_rows -%}
            insert into audit.audit__built_models values {{ rows | join(', ') }}
        {%- endset %}
        {%- do run_query(new_rows) %}
    {%- endif %}
{% endmacro %}


{#- The table as it is described in models/audit/_sources.yml. -#}
{% macro create_built_models() -%}
    create table if not exists audit.audit__built_models (
        invocation_id string,
        model string,
        shows string,
        started_at timestamp
    )
{%- endmacro %}


{#- A model that was built as a row of the table. -#}
{% macro built_row(node) -%}
    {%- set shown = [] %}
    {#- what is a view shows what is there -#}
    {%- if node.fqn[1] in ('audit', 'blind', 'report') and node.config.materialized != 'view' %}
        {%- for other in lineage_of([node.name])
            if other.resource_type == 'model' and other.fqn[1] == 'benchmarks'
            and other.config.access == 'public' and other.config.materialized != 'view' %}
            {%- do shown.append(other.name) %}
        {%- endfor %}
    {%- endif %}
    (
        {{ text_literal(invocation_id) }},
        {{ text_literal(node.name) }},
        {{ text_literal(shown | sort | join(',')) }},
        cast({{ text_literal(run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f')) }} as timestamp)
    )
{%- endmacro %}
