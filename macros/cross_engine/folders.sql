{#-
    Folders that functions write to.
-#}

{#-
    The folder of renderings: `GAINSAY_RENDERINGS`, as an SQL text. On Spark it is a URL, because
    there several machines write what was found in pictures. While dbt parses it is none, so that a
    project that was parsed serves every folder.
-#}
{% macro renderings_folder() -%}
    {{ return(adapter.dispatch('renderings_folder', 'gainsay')()) }}
{%- endmacro %}

{% macro duckdb__renderings_folder() -%}
    {%- set folder = env_var("GAINSAY_RENDERINGS", "data/renderings") if execute else '' -%}
    {{ text_literal(folder) }}
{%- endmacro %}

{% macro spark__renderings_folder() -%}
    {%- set folder = env_var("GAINSAY_RENDERINGS", "data/renderings") if execute else '' -%}
    {%- set url %}{{ 'file://' if '://' not in folder }}{{ folder }}{% endset -%}
    {{ text_literal(url) }}
{%- endmacro %}
