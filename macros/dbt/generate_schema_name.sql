{#-
    Schemas are named by layer alone, whatever the target's default schema is. This is asked of each
    node before the node is read, so that a var of a wrong value is named before a node stumbles on it;
    models are read first, so what they passed is not asked of tests and seeds again.
-#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {%- if node.resource_type == 'model' %}
        {%- do require_var_values() %}
    {%- endif %}
    {{ (custom_schema_name or target.schema) | trim }}
{%- endmacro %}
