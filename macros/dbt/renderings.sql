{#-
    Where what was found in pictures is kept.
-#}

{#- The part of the folder of renderings for annotations, as an SQL text. -#}
{% macro annotations_folder() -%}
    {{ renderings_folder() }} || '/annotations'
{%- endmacro %}
