{#-
    The first gate that failed each candidate of a screening: rows `candidate_id`, `drop_stage`,
    `drop_reason`, `drop_detail`, one for each candidate that some gate failed. `gates` names the
    model of each stage; the order is that of the seed `<benchmark>__gates`. A candidate that a
    gate's model has no row of, or says null of, is not failed by that gate. A stage that the seed
    does not list comes first and has no reason, which the tests of `__screened` find.
-#}
{% macro first_failed_gate(benchmark, gates, screening=none, with_detail=[], candidate_key='candidate_id') -%}
    select
        failures.candidate_id,
        {{ min_by('failures.stage', 'coalesce(stages.stage_order, 0)') }} as drop_stage,
        {{ min_by('stages.reason', 'stages.stage_order') }} as drop_reason,
        -- the first failure has no detail of a later one: DuckDB's min_by passes over nulls
        nullif(
            {{ min_by("coalesce(failures.drop_detail, '')", 'stages.stage_order') }}, ''
        ) as drop_detail
    from (
        {%- for stage, model in gates.items() %}
        select
            {{ candidate_key }} as candidate_id,
            '{{ stage }}' as stage,
            {%- if stage in with_detail %}
            drop_detail
            {%- else %}
            cast(null as {{ dbt.type_string() }}) as drop_detail
            {%- endif %}
        from {{ ref(model) }}
        where not is_passed
        {%- if not loop.last %}
        union all
        {%- endif %}
        {%- endfor %}
    ) as failures
    left join {{ ref(benchmark ~ '__gates') }} as stages
        on
            failures.stage = stages.stage
            and stages.screening = '{{ screening or benchmark }}'
    group by failures.candidate_id
{%- endmacro %}


{#- What CertainlyUncertain's pairs from captions pass before some of them are drawn. -#}
{% macro caption_pair_gates() -%}
    {{ return({
        'response': 'certainly_uncertain__response_gate',
        'refusal': 'certainly_uncertain__refusal_gate',
        'validity': 'certainly_uncertain__validity_gate',
        'good_question': 'certainly_uncertain__good_question_gate',
        'sides': 'certainly_uncertain__sides_gate',
        'topic': 'certainly_uncertain__topic_gate',
        'evidence': 'certainly_uncertain__evidence_gate',
        'support': 'certainly_uncertain__support_gate',
        'contradiction': 'certainly_uncertain__contradiction_gate',
        'only_one': 'certainly_uncertain__only_one_gate',
        'instances': 'certainly_uncertain__instances_gate',
        'open': 'certainly_uncertain__open_gate',
        'overlap': 'certainly_uncertain__overlap_gate',
        'check': 'certainly_uncertain__check_gate',
    }) }}
{%- endmacro %}


{#- What an object that a question asks for passes before its mask is looked at. -#}
{% macro object_gates() -%}
    {{ return({
        'object_response': 'certainly_uncertain__object_response_gate',
        'object_refusal': 'certainly_uncertain__object_refusal_gate',
        'object_validity': 'certainly_uncertain__object_validity_gate',
        'question_of_presence': 'certainly_uncertain__question_of_presence_gate',
        'question_of_number': 'certainly_uncertain__question_of_number_gate',
        'object_choice': 'certainly_uncertain__object_choice_gate',
        'second_answer': 'certainly_uncertain__second_answer_gate',
        'whole_picture': 'certainly_uncertain__whole_picture_gate',
        'world_knowledge': 'certainly_uncertain__world_knowledge_gate',
        'no_question_object': 'certainly_uncertain__no_question_object_gate',
        'several_categories': 'certainly_uncertain__several_categories_gate',
        'object_not_asked': 'certainly_uncertain__object_not_asked_gate',
        'object_is_crowd': 'certainly_uncertain__object_is_crowd_gate',
    }) }}
{%- endmacro %}


{#- What an object passes before it is taken out of its picture. -#}
{% macro removal_gates() -%}
    {{ return({
        'mask_unusable': 'certainly_uncertain__mask_unusable_gate',
        'object_too_small': 'certainly_uncertain__object_too_small_gate',
        'object_too_large': 'certainly_uncertain__object_too_large_gate',
        'object_not_outlined': 'certainly_uncertain__object_not_outlined_gate',
        'open_answer': 'certainly_uncertain__open_answer_gate',
        'still_answerable': 'certainly_uncertain__still_answerable_gate',
        'annotators_disagree': 'certainly_uncertain__annotators_disagree_gate',
    }) }}
{%- endmacro %}


{#- What a sample of CLASH passes before its relation's quota is drawn and people see it. -#}
{% macro sample_gates() -%}
    {{ return({
        'rule_check': 'clash__rule_check',
        'response': 'clash__response',
        'refusal': 'clash__refusal',
        'validity': 'clash__validity',
        'objective_change': 'clash__objective_change',
        'binary_states': 'clash__binary_states',
        'change_check': 'clash__change_check',
        'answer_length': 'clash__answer_length',
        'answer_words': 'clash__answer_words',
        'answers_check': 'clash__answers_check',
        'natural_question': 'clash__natural_question',
        'question_check': 'clash__question_check',
    }) }}
{%- endmacro %}
