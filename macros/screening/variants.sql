{#- Whether a row of `variant_definitions` is made under the options in use. -#}
{% macro is_variant_in_use() -%}
    {%- if var('conflict_suite_include_both_variant') -%}
        true
    {%- else -%}
        not is_optional
    {%- endif -%}
{%- endmacro %}
