{#-
    The first stage that failed each candidate of a screening: rows `candidate_id, drop_stage,
    drop_reason, drop_detail`, one for each candidate that some stage failed.

    The stages are those of `stages_of`; a benchmark that is plugged in names its own in `findings`,
    such as `[['tiny__findings', ['picture', 'answer+']]]`. `before` is the model that asks, where not
    all findings are made yet. A findings model has a `candidate_id`, for each stage a column
    `passes_<stage>`, and for a stage with a plus a text `<stage>_detail`. A null fails nothing, nor
    does a row that is missing. The order of the stages is that of the seed `<benchmark>__gates`; a
    stage that the seed does not list comes first and has no reason, which the tests of `__screened`
    find. Without a `screening` each row of the findings names its own, in a column `screening`.
-#}
{% macro first_failures(
    benchmark, screening, findings=none, before=none, candidate_key='candidate_id'
) -%}
    {%- set listed = [] %}
    {%- set known = namespace(is_all=false) %}
    {%- for model, names in findings or stages_of(benchmark, screening) %}
        {%- set known.is_all = known.is_all or model == before %}
        {%- if not known.is_all %}
            {%- for name in names %}
                {%- do listed.append((model, name.rstrip('+'), name.endswith('+'))) %}
            {%- endfor %}
        {%- endif %}
    {%- endfor %}
    select
        failures.candidate_id,
        {{ min_by('failures.stage', 'coalesce(stages.stage_order, 0)') }} as drop_stage,
        {{ min_by('stages.reason', 'stages.stage_order') }} as drop_reason,
        -- the first failure has no detail of a later one: DuckDB's min_by passes over nulls
        nullif(
            {{ min_by("coalesce(failures.drop_detail, '')", 'stages.stage_order') }}, ''
        ) as drop_detail
    from (
        {%- for model, stage, has_detail in listed %}
        select
            {{ candidate_key }} as candidate_id,
            {%- if screening is none %}
            screening,
            {%- endif %}
            '{{ stage }}' as stage,
            {%- if has_detail %}
            {{ stage }}_detail as drop_detail
            {%- else %}
            cast(null as string) as drop_detail
            {%- endif %}
        from {{ ref(model) }}
        where not passes_{{ stage }}
        {%- if not loop.last %}
        union all
        {%- endif %}
        {%- endfor %}
    ) as failures
    left join {{ ref(benchmark ~ '__gates') }} as stages
        on
            failures.stage = stages.stage
            and stages.screening = {{ "failures.screening" if screening is none else "'" ~ screening ~ "'" }}
    group by failures.candidate_id
{%- endmacro %}
