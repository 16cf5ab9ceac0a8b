{#-
    Whether the text of a request holds `quote`, one of the seed `llm_quotes`, as whole lines,
    with each {field} of it filled in from the mapping `fields` of names to columns. A null field
    is not quoted.
-#}
{% macro is_quoted(request_text, quote, fields) -%}
    {%- set lines = namespace(filled=quote) %}
    {%- for field, column in fields.items() %}
        {%- set gap %}'{{ '{' }}{{ field }}{{ '}' }}'{% endset %}
        {%- set filled %}replace({{ lines.filled }}, {{ gap }}, coalesce({{ column }}, {{ gap }})){% endset %}
        {%- set lines.filled = filled %}
    {%- endfor %}
    contains(
        chr(10) || {{ request_text }} || chr(10),
        chr(10) || {{ lines.filled }} || chr(10)
    )
{%- endmacro %}
