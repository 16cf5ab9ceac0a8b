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

scores as (
    select *, {{ own_name }} as plain_name
    from {{ ref('evaluation__scores') }}
    where slice_name = 'overall'
)

select
    published_results.benchmark,
    published_results.published_table,
    published_results.published_model,
    published_results.task,
    published_results.condition,
    published_results.matcher,
    published_results.metric,
    scores.model,
    scores.run,
    published_results.unit,
    published_results.source,
    published_results.value as published_value,
    scores.value as own_value,
    round(scores.value - published_results.value, 4) as difference,
    scores.standard_deviation,
    published_results.n as published_n,
    scores.n
from published_results
left join scores using (benchmark, task, condition, matcher, metric, plain_name)
