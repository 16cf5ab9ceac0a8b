{#- Whether a row of `variant_definitions` is made under the protocol and options in use. -#}
{% macro is_variant_in_use() -%}
    protocol_family = '{{ "v1" if var("oracle_protocol") == "v1" else "refined" }}'
    {%- if not var('conflict_suite_include_both_variant') %}
        and not is_optional
    {%- endif %}
{%- endmacro %}
