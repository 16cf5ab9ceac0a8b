{%- set published_name -%}
    {{ regexp_replace(lower_text('published_model'), '[^a-z0-9]+', '') }}
{%- endset -%}
{%- set own_name -%}
    {{ regexp_replace(lower_text('model'), '[^a-z0-9]+', '') }}
{%- endset -%}
with
published_results as (
    select *, {{ published_name }} as plain_name from {{ ref('published_results') }}
),

-- what judges say instead of a matcher is a score, too, sliced by who judges
own_scores as (
    select
        benchmark, task, condition, matcher, slice_name, slice_value, metric, model, run, value,
        standard_deviation, n
    from {{ ref('evaluation__scores') }}
    union all
    select
        'clash' as benchmark, 'open_ended' as task, condition, 'judge' as matcher,
        'judges' as slice_name, judges as slice_value, metric, model, run, value,
        standard_deviation, n
    from {{ ref('evaluation__judge_agreement') }}
),

scores as (
    select *, {{ own_name }} as plain_name from own_scores
)

select
    published_results.benchmark,
    published_results.published_table,
    published_results.published_model,
    published_results.task,
    published_results.condition,
    published_results.matcher,
    published_results.slice_name,
    published_results.slice_value,
    published_results.metric,
    scores.model,
    scores.run,
    published_results.unit,
    published_results.not_computed_because,
    published_results.source,
    published_results.value as published_value,
    scores.value as own_value,
    round(scores.value - published_results.value, 4) as difference,
    published_results.standard_deviation as published_deviation,
    scores.standard_deviation,
    published_results.n as published_n,
    scores.n
from published_results
left join scores
    using (benchmark, task, condition, matcher, slice_name, slice_value, metric, plain_name)
