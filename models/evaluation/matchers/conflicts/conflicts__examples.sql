-- a view: answers name the few of these examples that are read
{{ config(materialized='view') }}

{% for benchmark in benchmarks_of('conflicts__outcomes') %}
    select
        '{{ benchmark }}' as benchmark, example_id, base_id,
        {% if benchmark == 'occlusions' %}
            paired_example_id,
        {% else %}
            cast(null as string) as paired_example_id,
        {% endif %}
        source_image_id,
        image_id, shown_image_id, recipe_id, text_input, question, gold_answer, split, family,
        operator, text_state, image_state, answer_type, oracle_action, severity,
        target is null as is_abstention_right
    from {{ ref(benchmark ~ '__examples') }}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
