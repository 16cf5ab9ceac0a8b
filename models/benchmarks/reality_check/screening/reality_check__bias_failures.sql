{#- the stages that each bias decides of an image alone, and those that say what they found -#}
{%- set stages = {
    'texture': ['annotation', 'object', 'silhouette'],
    'counting': ['annotation', 'category', 'certainty', 'scene'],
    'spatial_relations': ['annotation', 'text', 'symmetry'],
    'physical_plausibility': ['place_and_time', 'shadow', 'plausibility', 'region', 'comparison'],
    'temporal_reasoning': ['time', 'daylight', 'scene'],
    'spurious_correlation': ['annotation', 'object', 'scene', 'typicality'],
    'compositional_binding': ['annotation', 'objects', 'colors'],
    'text_in_image': ['annotation', 'text', 'name'],
    'scale_invariance': ['annotation', 'object', 'crop', 'detail'],
} -%}
{%- set stages_with_detail = {
    'texture': ['annotation', 'object', 'silhouette'],
    'counting': ['annotation', 'certainty'],
    'spatial_relations': ['annotation', 'text'],
    'physical_plausibility': ['plausibility'],
    'spurious_correlation': ['annotation', 'object'],
    'compositional_binding': ['annotation', 'objects'],
    'text_in_image': ['annotation'],
    'scale_invariance': ['annotation', 'object'],
} -%}

with

{% for bias_type in var('reality_check_biases') %}
    {{ bias_type }}_failures as (

        {{ first_failures(
            'reality_check',
            'reality_check_' ~ bias_type,
            {'reality_check__' ~ bias_type ~ '_findings': stages[bias_type]},
            with_detail=stages_with_detail.get(bias_type, [])
        ) }}

    ),
{% endfor %}

final as (

    {% for bias_type in var('reality_check_biases') %}
        select * from {{ bias_type }}_failures
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}

)

select * from final
