{#-
    How the truth of a pair was found: by the method of its bias, unless its source says that the sun
    was not asked. Then the photograph is as it was taken, and the turn of its shadow makes it wrong.
-#}
{% macro ground_truth_method(method, truth_source) -%}
    case
        when contains({{ truth_source }}, 'shadow_on_ground')
            then replace({{ method }}, 'astropy_shadow', 'turn_recipe')
        else {{ method }}
    end
{%- endmacro %}


{#- The columns that pairs of VLM Reality Check have in common, and unions of its biases. -#}

{#- The columns that every model of biases' pairs has, in their order. -#}
{% macro reality_check_pair_columns() -%}
    {{ return([
        'pair_id', 'bias_type', 'image_a_id', 'image_b_id', 'image_c_id', 'difficulty',
        'asked_label', 'slots', 'options', 'correct_answer', 'distractor_answers', 'binding_a',
        'binding_b', 'metadata', 'truth_source', 'recipe_family', 'recipe_parameters',
        'recipe_rle', 'edit_families',
    ]) }}
{%- endmacro %}


{#- Columns of a pair that a bias has nothing for, by their names: nulls, and no edits. -#}
{% macro absent_pair_columns() -%}
    {%- for column in varargs -%}
        {%- if column not in reality_check_pair_columns() -%}
            {{ exceptions.raise_compiler_error(
                "absent_pair_columns: a pair has no column '" ~ column ~ "'; it has "
                ~ reality_check_pair_columns() | join(', ')
            ) }}
        {%- endif -%}
        {%- if column == 'edit_families' -%}
            {{ empty_list('string') }} as edit_families
        {%- elif column == 'distractor_answers' -%}
            cast(null as {{ engine_type('varchar[]') }}) as distractor_answers
        {%- else -%}
            cast(null as string) as {{ column }}
        {%- endif -%}
        {{ ',\n        ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}


{#-
    The rows of all models of one kind, such as `findings`, of the biases that `names` lists.
-#}
{% macro union_of_biases(names, kind, columns) -%}
    {%- for name in names %}
    select
        {{ columns | join(',\n        ') }}
    from {{ ref('reality_check__' ~ name ~ '_' ~ kind) }}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
{%- endmacro %}
