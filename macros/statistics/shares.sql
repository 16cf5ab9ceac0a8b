{#- 1 where the condition is true, else 0; what a share counts. -#}
{% macro one_if(condition) -%}
    case when {{ condition }} then cast(1 as double) else cast(0 as double) end
{%- endmacro %}


{#-
    A number to nine places, which hide the order of a sum. A number in the middle between two of
    nine places, such as 3023 of 5120, would go up or down by that order: the little that is added,
    more than any order changes, takes it up.
-#}
{% macro nine_places(value) -%}
    round({{ value }} + 1e-13, 9)
{%- endmacro %}


{#- A share as a percentage. Nine digits are the same on every engine, whatever it sums first. -#}
{% macro percentage(share) -%}
    {%- set percent %}100 * {{ share }}{% endset -%}
    {{ nine_places(percent) }}
{%- endmacro %}
