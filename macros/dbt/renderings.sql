{#-
    Where rendered pictures and what was found in pictures are kept.
-#}

{#-
    The folder of renderings: `GAINSAY_RENDERINGS`, as an SQL text. While dbt parses it is none, so
    that a project that was parsed serves every folder.
-#}
{% macro renderings_folder() -%}
    {%- if execute -%}
        '{{ env_var("GAINSAY_RENDERINGS", "data/renderings") | replace("'", "''") }}'
    {%- else -%}
        ''
    {%- endif -%}
{%- endmacro %}


{#- Its part for annotations, as an SQL text. -#}
{% macro annotations_folder() -%}
    {{ renderings_folder() }} || '/annotations'
{%- endmacro %}
