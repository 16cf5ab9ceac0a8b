{#-
    The canonical form that content hashes are made of. A value is its length in
    characters, a colon, and its text; a null is a minus sign; a row is its values one
    behind the other. No two different rows share a form, whatever their texts contain.
-#}
{% macro canonical_row(columns) -%}
    {%- for column in columns %}
    {%- set text %}cast({{ column }} as {{ dbt.type_string() }}){% endset %}
    coalesce(cast(length({{ text }}) as {{ dbt.type_string() }}) || ':' || {{ text }}, '-')
    {%- if not loop.last %} ||{% endif %}
    {%- endfor %}
{%- endmacro %}
