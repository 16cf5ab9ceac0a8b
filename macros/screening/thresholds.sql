{#- A number of the seed `<family>_thresholds` by its name, an exact decimal of six places. -#}
{% macro threshold(family, name) -%}
    (select value from {{ ref(family ~ '_thresholds') }} where name = '{{ name }}')
{%- endmacro %}


{#- A text of the seed `instructions`, by its name. -#}
{% macro instruction(name) -%}
    (select text from {{ ref('instructions') }} where name = '{{ name }}')
{%- endmacro %}
