{#-
    Stop before anything is built where a raw table is missing. Every landing makes all raw tables
    that are not there yet.
-#}
{% macro require_landing() -%}
    {%- set missing = [] %}
    {%- if execute %}
    {%- for source in graph.sources.values() if source.schema == 'raw' %}
    {%- if adapter.get_relation(source.database, source.schema, source.identifier) is none %}
    {%- do missing.append('raw.' ~ source.identifier) %}
    {%- endif %}
    {%- endfor %}
    {%- endif %}
    {%- if missing %}
    {%- do exceptions.raise_compiler_error(
        'the warehouse ' ~ (target.database or target.name) ~ ' has no '
        ~ missing | sort | join(', ') ~ '; run `gainsay land '
        ~ ('--target ' ~ target.name ~ ' ' if target.name != 'dev') ~ 'PATH...` first'
    ) %}
    {%- endif %}
{%- endmacro %}
