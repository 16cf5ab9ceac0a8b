{#- A number of the seed `reality_check_thresholds`, by its name. -#}
{% macro rc_threshold(name) -%}
    {{ threshold('reality_check', name) }}
{%- endmacro %}
