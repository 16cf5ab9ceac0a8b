{#-
    The first stage that failed each candidate of a screening: rows `candidate_id`, `drop_stage`,
    `drop_reason`, `drop_detail`, one for each candidate that some stage failed.

    `findings` names the stages that each findings model decides, such as
    `{'clash__sample_findings': ['rule_check', 'response']}`. Such a model has a `candidate_id`, for
    each stage a column `passes_<stage>`, and for the stages of `with_detail` a text
    `<stage>_detail`. A null fails nothing, nor does a row that is missing. The order of the stages
    is that of the seed `<benchmark>__gates`; a stage that the seed does not list comes first and
    has no reason, which the tests of `__screened` find. Without a `screening` each row of the
    findings names its own, in a column `screening`.
-#}
{% macro first_failures(
    benchmark, screening, findings, with_detail=[], candidate_key='candidate_id'
) -%}
    select
        failures.candidate_id,
        {{ min_by('failures.stage', 'coalesce(stages.stage_order, 0)') }} as drop_stage,
        {{ min_by('stages.reason', 'stages.stage_order') }} as drop_reason,
        -- the first failure has no detail of a later one: DuckDB's min_by passes over nulls
        nullif(
            {{ min_by("coalesce(failures.drop_detail, '')", 'stages.stage_order') }}, ''
        ) as drop_detail
    from (
        {%- for model, model_stages in findings.items() %}
        {%- set last_model = loop.last %}
        {%- for stage in model_stages %}
        select
            {{ candidate_key }} as candidate_id,
            {%- if screening is none %}
            screening,
            {%- endif %}
            '{{ stage }}' as stage,
            {%- if stage in with_detail %}
            {{ stage }}_detail as drop_detail
            {%- else %}
            cast(null as {{ dbt.type_string() }}) as drop_detail
            {%- endif %}
        from {{ ref(model) }}
        where not passes_{{ stage }}
        {%- if not (last_model and loop.last) %}
        union all
        {%- endif %}
        {%- endfor %}
        {%- endfor %}
    ) as failures
    left join {{ ref(benchmark ~ '__gates') }} as stages
        on
            failures.stage = stages.stage
            and stages.screening = {{ "failures.screening" if screening is none else "'" ~ screening ~ "'" }}
    group by failures.candidate_id
{%- endmacro %}
