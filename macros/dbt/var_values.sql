{#-
    Stop before anything is built where --vars gives a value of another kind than the project's own
    (`null` or 'three' for a number), or a share that is none: SQL would take a share of -3.
-#}
{% macro require_var_values() -%}
    {%- set usual = project_vars() %}
    {%- for name in (invocation_args_dict.vars or {}) if name in usual %}
        {%- set value = var(name) %}
        {%- set expected = kind_of_value(usual[name]) %}
        {%- if kind_of_value(value) != expected or (name == 'benchmarks' and not value) %}
            {%- do exceptions.raise_compiler_error(
                'the var ' ~ name ~ ' is ' ~ tojson(value, value | string)
                ~ '; expected ' ~ expected ~ ', such as ' ~ tojson(usual[name], usual[name] | string)
            ) %}
        {%- endif %}
        {%- if name.endswith('_share') and not 0 <= value <= 1 %}
            {%- do exceptions.raise_compiler_error(
                'the var ' ~ name ~ ' is ' ~ value ~ '; expected a number from 0 to 1'
            ) %}
        {%- endif %}
    {%- endfor %}
    {#- decimal shares are not exact -#}
    {%- set shares = var('conflict_suite_train_share') + var('conflict_suite_val_share') %}
    {%- if shares > 1.000001 %}
        {%- do exceptions.raise_compiler_error(
            'the vars conflict_suite_train_share and conflict_suite_val_share are '
            ~ shares | round(6) ~ ' together; expected 1 at most'
        ) %}
    {%- endif %}
{%- endmacro %}


{#- What a value is, in words; what is infinite or no number is no number. -#}
{% macro kind_of_value(value) -%}
    {{ return(
        'null' if value is none
        else 'true or false' if value is boolean
        else 'a text' if value is string
        else 'names with values' if value is mapping
        else ('a number' if value - value == 0 else 'no number') if value is number
        else 'a list'
    ) }}
{%- endmacro %}
