-- a view: it is read where a judge is asked or has answered, and most builds have neither
{{ config(materialized='view') }}
with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'mmhal'
        and reason is null
        and trim(prediction) <> ''
),

questions as (
    select * from {{ ref('question_sets__questions') }}
    where benchmark = 'mmhal'
),

listed_questions as (
    select * from {{ ref('stg_question_sets__questions') }}
    where question_set = 'mmhal' and occurrence = 1
)

select
    predictions.source_file,
    predictions.example_id || ':' || substr(
        md5(
            questions.question || '|' || questions.gold_answer || '|' || predictions.prediction
        ), 1, 16
    ) as input_id,
    questions.question,
    questions.gold_answer as reference_answers,
    predictions.prediction,
    {{ array_join('listed_questions.objects', "', '") }} as objects,
    predictions.file_position
from predictions
inner join questions using (example_id)
inner join listed_questions using (question_key)
