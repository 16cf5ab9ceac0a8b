{#-
    Where rendered pictures and what was found in pictures are kept.
-#}

{#- The folder of renderings: `GAINSAY_RENDERINGS`, as an SQL text. -#}
{% macro renderings_folder() -%}
    '{{ env_var("GAINSAY_RENDERINGS", "data/renderings") | replace("'", "''") }}'
{%- endmacro %}


{#- Its part for annotations, as an SQL text. -#}
{% macro annotations_folder() -%}
    {{ renderings_folder() }} || '/annotations'
{%- endmacro %}
