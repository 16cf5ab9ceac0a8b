with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where benchmark = 'clash' and reason is null
),

verdicts as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'judge'
),

unfolded as (
    select source_file, file_position, {{ unnest_list('judge_labels') }} as judged
    from predictions
    where judge_labels is not null
),

delivered as (
    select source_file, judged.judge as judge, upper(trim(judged.label)) as label, file_position
    from unfolded
),

-- of several requests to one judge an answered one counts, then the latest
ranked as (
    select
        *,
        row_number() over (
            partition by input_id, model
            order by
                case when state = 'answered' then 1 else 2 end asc,
                requested_at desc, custom_id asc
        ) as preference
    from verdicts
),

-- the id holds a digest of all that was quoted: a request about other words finds no answer
asked as (
    select
        inputs.source_file,
        ranked.model as judge,
        ranked.custom_id,
        {{ json_extract_string('ranked.answer', '$.label') }} as label,
        ranked.reason as response_reason,
        inputs.file_position
    from ranked
    inner join {{ ref('evaluation__judge_inputs') }} as inputs using (input_id)
    where ranked.preference = 1
),

-- no judge's label takes the place of another's: what the file says of a judge stands
labels as (
    select
        source_file, 'delivered' as origin, judge, cast(null as string) as custom_id, label,
        cast(null as string) as reason, file_position
    from delivered
    union all
    select
        asked.source_file, 'asked' as origin,
        asked.judge, asked.custom_id, asked.label,
        case
            when asked.response_reason is not null then asked.response_reason
            when delivered.judge is not null then 'label_delivered'
        end as reason,
        asked.file_position
    from asked
    left join delivered using (source_file, file_position, judge)
)

select
    predictions.source_file,
    predictions.condition,
    predictions.model,
    predictions.run,
    predictions.example_id,
    predictions.source_image_id,
    labels.origin,
    labels.judge,
    labels.custom_id,
    labels.label,
    labels.reason,
    predictions.file_position
from labels
inner join predictions using (source_file, file_position)
