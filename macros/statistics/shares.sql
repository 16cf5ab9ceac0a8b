{#- 1 where the condition is true, else 0; what a share counts. -#}
{% macro one_if(condition) -%}
    case when {{ condition }} then cast(1 as double) else cast(0 as double) end
{%- endmacro %}


{#- A share as a percentage. Nine digits are the same on every engine, whatever it sums first. -#}
{% macro percentage(share) -%}
    round(100 * {{ share }}, 9)
{%- endmacro %}
