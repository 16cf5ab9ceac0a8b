{%- set rated_benchmarks -%}
    '{{ var("evaluation_rated_benchmarks") | join("', '") }}'
{%- endset -%}
{%- set lave_judge = text_literal(var('evaluation_lave_judge')) %}
{%- set idk_judge = text_literal(var('evaluation_idk_judge')) %}
with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where benchmark in ({{ rated_benchmarks }}) and reason is null
),

inputs as (select * from {{ ref('evaluation__lave_inputs') }}),

verdicts as (
    select * from {{ ref('llm__outcomes') }}
    where
        state = 'answered'
        and (
            (task in ('lave', 'lave_yes_no') and model = {{ lave_judge }})
            or (task = 'idk' and model = {{ idk_judge }})
        )
),

-- of several answers of one judge the latest counts
ranked_verdicts as (
    select
        *,
        row_number() over (
            partition by input_id, task
            order by requested_at desc, custom_id asc
        ) as preference
    from verdicts
),

lave_verdicts as (
    select
        inputs.source_file, inputs.file_position,
        cast({{ json_extract_string('ranked_verdicts.answer', '$.rating') }} as bigint) as rating
    from ranked_verdicts
    inner join inputs using (input_id)
    where
        ranked_verdicts.preference = 1
        and ranked_verdicts.task = case
            when inputs.is_yes_or_no then 'lave_yes_no' else 'lave'
        end
),

idk_verdicts as (
    select
        inputs.source_file, inputs.file_position,
        {{ json_extract_string('ranked_verdicts.answer', '$.is_idk') }} = 'true' as is_idk
    from ranked_verdicts
    inner join inputs using (input_id)
    where ranked_verdicts.preference = 1 and ranked_verdicts.task = 'idk'
)

-- no other rating takes a named judge's place: what the judge has not said is not known. An answer
-- that is null was shown to no judge, and says nothing
select
    predictions.benchmark, predictions.source_file, predictions.file_position,
    case
        when predictions.prediction is null then null
        when {{ lave_judge }} <> '' then lave_verdicts.rating
        else predictions.lave_rating
    end as lave_rating,
    case
        when predictions.prediction is null then false
        when {{ idk_judge }} <> '' then idk_verdicts.is_idk
        else coalesce(phrases.is_idk, false)
    end as is_idk
from predictions
left join {{ ref('evaluation__phrases') }} as phrases on predictions.prediction = phrases.text
left join lave_verdicts using (source_file, file_position)
left join idk_verdicts using (source_file, file_position)
