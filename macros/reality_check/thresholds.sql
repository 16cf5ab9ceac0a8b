{#- A number of the seed `reality_check_thresholds`, by its name. -#}
{% macro rc_threshold(name) -%}
    (select value from {{ ref('reality_check_thresholds') }} where name = '{{ name }}')
{%- endmacro %}
