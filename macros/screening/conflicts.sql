{#-
    What the benchmarks have in common in which a text or a picture is corrupted beside a question.
-#}

{#-
    The body of `<b>__prompts`: each example is asked for an answer, and for an answer with the
    action that it stands on.
-#}
{% macro conflict_prompts(benchmark) -%}
with

examples as (

    select * from {{ ref(benchmark ~ '__examples') }}

),

-- an answer, or an answer and the action that it stands on
tasks as (

    select 'open_ended' as task
    union all
    select 'answer_and_action' as task

),

final as (

    select
        examples.example_id,
        examples.example_id as example_key,
        tasks.task,
        'default' as condition,
        examples.source_image_id,
        examples.image_id,
        examples.shown_image_id,
        examples.recipe_id,
        examples.question,
        examples.text_input as context,
        cast(null as {{ dbt.type_string() }}) as choices,
        case tasks.task
            when 'open_ended' then {{ text_literal(var('export_instruction')) }}
        end as instruction,
        -- another wording is another version
        case tasks.task
            when 'open_ended'
                then substr(md5({{ text_literal(var('export_instruction')) }}), 1, 8)
        end as prompt_version
    from examples
    cross join tasks

)

select * from final
{%- endmacro %}


{#- The body of `<b>__outcomes`: the benchmark's answers among those that are matched together. -#}
{% macro conflict_outcomes(benchmark) -%}
select
    source_file,
    file_position,
    matcher,
    example_id,
    slices,
    cast(is_success as double) as credit,
    confidence,
    oracle_action,
    is_correct,
    was_correct,
    is_abstained,
    extraction,
    {{ other_outcomes('oracle_action', 'is_correct', 'was_correct', 'is_abstained', 'extraction') }}
from {{ ref('evaluation__conflict_answers') }}
where benchmark = '{{ benchmark }}'
{%- endmacro %}
