{#- The questions of a set of others as models are asked them: the port `__prompts`. -#}
{% macro question_set_prompts(question_set) -%}
    select
        example_id,
        example_key,
        'open_ended' as task,
        condition,
        source_image_id,
        image_id,
        source_image_id as shown_image_id,
        cast(null as {{ dbt.type_string() }}) as recipe_id,
        question,
        cast(null as {{ dbt.type_string() }}) as context,
        cast(null as {{ dbt.type_string() }}) as choices,
        -- a file of gainsay/lm/prompts says how to answer
        cast(null as {{ dbt.type_string() }}) as instruction,
        cast(null as {{ dbt.type_string() }}) as prompt_version
    from {{ ref('question_sets__questions') }}
    where benchmark = '{{ question_set }}'
{%- endmacro %}
