{%- set rated_benchmarks -%}
    '{{ var("evaluation_rated_benchmarks") | join("', '") }}'
{%- endset -%}
-- a view: it is read where a judge is asked or has answered, and most builds have neither
{{ config(materialized='view') }}
with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark in ({{ rated_benchmarks }})
        and reason is null
        and prediction is not null
),

examples as (
    {{ union_of_ports('examples', ['example_id', 'question', 'gold_answer']) | indent }}
    union all
    select
        benchmark, example_id, question,
        {{ array_join('human_answers', "' / '") }} as gold_answer
    from {{ ref('question_sets__questions') }}
),

boolean_forms as (
    select * from {{ ref('answer_forms') }}
    where answer_type = 'boolean'
),

-- an example of others brings its question and its gold answer along
quoted_answers as (
    select
        predictions.source_file, predictions.example_id, predictions.prediction,
        predictions.file_position,
        coalesce(examples.question, predictions.question) as question,
        coalesce(examples.gold_answer, predictions.gold_answer) as reference_answers
    from predictions
    left join examples using (benchmark, example_id)
)

select
    quoted_answers.source_file,
    quoted_answers.example_id || ':' || substr(
        md5(
            quoted_answers.question || '|' || quoted_answers.reference_answers
            || '|' || quoted_answers.prediction
        ), 1, 16
    ) as input_id,
    quoted_answers.question, quoted_answers.reference_answers, quoted_answers.prediction,
    quoted_answers.file_position,
    boolean_forms.surface is not null as is_yes_or_no
from quoted_answers
left join boolean_forms
    on
        {{ regexp_replace(normalized_text('quoted_answers.reference_answers'), '[.!]+$', '') }}
        = boolean_forms.surface
where
    quoted_answers.question is not null
    and quoted_answers.reference_answers is not null
