{#-
    On run end: what was run, when and for how long, one row an invocation that built models, in
    `audit.audit__runs`.
-#}
{% macro keep_run(results) %}
    {%- set models = results | selectattr('node.resource_type', 'equalto', 'model') | list %}
    {%- if models %}
        {%- do run_query('create schema if not exists audit') %}
        {%- do run_query(create_runs()) %}
        {%- set new_row -%}
            insert into audit.audit__runs values ({{ run_row(models, results) }})
        {%- endset %}
        {%- do run_query(new_row) %}
    {%- endif %}
{% endmacro %}


{#- The table as it is described in models/audit/_sources.yml. -#}
{% macro create_runs() -%}
    create table if not exists audit.audit__runs (
        invocation_id string,
        command string,
        target string,
        code_version string,
        vars string,
        n_models bigint,
        n_tests bigint,
        n_failed bigint,
        seconds double,
        started_at timestamp
    )
{%- endmacro %}


{#- This run as a row of the table. -#}
{% macro run_row(models, results) -%}
    {%- set tests = results | selectattr('node.resource_type', 'in', ['test', 'unit_test']) | list %}
    {%- set failed = results | selectattr('status', 'in', ['error', 'fail']) | list %}
    {%- set now = modules.datetime.datetime.now(run_started_at.tzinfo) -%}
    {{ text_literal(invocation_id) }},
    {{ text_literal(flags.WHICH) }},
    {{ text_literal(target.name) }},
    {{ text_literal(var('code_version')) }},
    {{ text_literal(tojson(invocation_args_dict.vars or {}, sort_keys=true)) }},
    {{ models | length }},
    {{ tests | length }},
    {{ failed | length }},
    {{ (now - run_started_at).total_seconds() }},
    cast({{ text_literal(run_started_at.strftime('%Y-%m-%d %H:%M:%S')) }} as timestamp)
{%- endmacro %}
