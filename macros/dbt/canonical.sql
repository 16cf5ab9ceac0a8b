{#-
    The canonical form that content hashes are made of. A value is its length in
    characters, a colon, and its text; a null is a minus sign; a row is its values one
    behind the other. No two different rows share a form, whatever their texts contain.
-#}
{% macro canonical_row(columns) -%}
    {%- set spelled_values = [] %}
    {%- for column in columns %}
    {%- set text %}cast({{ column }} as string){% endset %}
    {%- set length %}
    coalesce(length({{ text }}) || ':', '-'){% endset %}
    {%- do spelled_values.extend([length, text]) %}
    {%- endfor %}
    concat_ws('', {{ spelled_values | join(', ') }})
{%- endmacro %}


{#- The same form of a row whose values are a list of texts: less to write, but slower. -#}
{% macro canonical_list(list) -%}
    {{ array_join(
        list_transform(list, 'value', "coalesce(length(value) || ':' || value, '-')"), "''"
    ) }}
{%- endmacro %}
