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
