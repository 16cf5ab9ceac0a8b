{#- A numeric var as an exact decimal of at most six places, never as floating point. -#}
{% macro decimal_var(name) -%}
    cast('{{ var(name) }}' as decimal(18, 6))
{%- endmacro %}
