-- a view: it is read where a judge is asked or has answered, and most builds have neither
{{ config(materialized='view') }}
with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'clash'
        and task = 'open_ended'
        and reason is null
),

-- what is matched is judged: an answer to a sample, or one that brings its sample along
quoted as (
    select
        predictions.source_file, predictions.example_id, predictions.prediction,
        predictions.file_position,
        coalesce(samples.question, predictions.question) as question,
        coalesce(samples.image_only_answer, predictions.image_only_answer) as image_only_answer,
        coalesce(samples.text_only_answer, predictions.text_only_answer) as text_only_answer
    from predictions
    left join {{ ref('evaluation__clash_samples') }} as samples
        on predictions.example_id = samples.sample_id
)

select
    source_file,
    example_id || ':' || substr(
        md5(
            question || '|' || image_only_answer || '|' || text_only_answer
            || '|' || prediction
        ), 1, 16
    ) as input_id,
    question, image_only_answer, text_only_answer, prediction, file_position
from quoted
where
    question is not null
    and prediction is not null
    and image_only_answer is not null
    and text_only_answer is not null
