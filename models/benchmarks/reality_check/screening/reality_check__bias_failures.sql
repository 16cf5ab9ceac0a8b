{%- for bias_type in var('reality_check_biases') %}
    {{ first_failures('reality_check', 'reality_check_' ~ bias_type) }}
    {%- if not loop.last %}
        union all
    {%- endif %}
{%- endfor %}
