{%- set is_unanswered = "phrases.idk_form <> 'guess'" -%}
with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where benchmark in ('vqa', 'okvqa', 'vizwiz') and reason is null
),

phrases as (select * from {{ ref('evaluation__phrases') }}),
questions as (select * from {{ ref('evaluation__vqa_questions') }}),
texts as (select * from {{ ref('evaluation__vqa_texts') }}),

asked_questions as (
    select distinct benchmark, example_id from predictions
),

human_answers as (
    select
        questions.benchmark, questions.example_id,
        {{ unnest_list('questions.human_answers') }} as human_answer
    from asked_questions
    inner join questions using (benchmark, example_id)
),

lined_answers as (
    select human_answers.benchmark, human_answers.example_id, texts.line, texts.processed_text
    from human_answers
    inner join texts on human_answers.human_answer = texts.text
),

-- only answers that are not all alike are processed, and then the prediction as well
agreements as (
    select benchmark, example_id, min(line) <> max(line) as is_processed, count(*) as n_answers
    from lined_answers
    group by benchmark, example_id
),

counted_answers as (
    select
        lined_answers.benchmark, lined_answers.example_id,
        case
            when agreements.is_processed then lined_answers.processed_text
            else lined_answers.line
        end as answer,
        count(*) as n_matching
    from lined_answers
    inner join agreements using (benchmark, example_id)
    group by lined_answers.benchmark, lined_answers.example_id, answer
),

-- VizWiz has a word for not knowing, and models have many; a guess is an answer to it
worded_predictions as (
    select
        predictions.source_file, predictions.file_position, predictions.benchmark,
        predictions.example_id, predictions.confidence,
        case
            when predictions.benchmark = 'vizwiz' and {{ is_unanswered }}
                then 'unanswerable'
            else predictions.prediction
        end as prediction,
        coalesce({{ is_unanswered }}, false) as is_idk
    from predictions
    left join phrases on predictions.prediction = phrases.text
),

lined_predictions as (
    select worded_predictions.*, texts.line, texts.processed_text
    from worded_predictions
    left join texts on worded_predictions.prediction = texts.text
)

select
    lined_predictions.benchmark, lined_predictions.source_file, lined_predictions.file_position,
    'vqa_accuracy' as matcher, lined_predictions.example_id,
    {{ list_value(
        "'answer_type=' || questions.answer_type",
        "'question_type=' || questions.question_type"
    ) }} as slices,
    -- each of the annotators, ten in official files, counts the agreeing ones among the others
    cast(
        coalesce(counted_answers.n_matching, 0)
        * least(coalesce(counted_answers.n_matching, 0) - 1, 3)
        + (agreements.n_answers - coalesce(counted_answers.n_matching, 0))
        * least(coalesce(counted_answers.n_matching, 0), 3) as double
    ) / (3 * agreements.n_answers) as credit,
    lined_predictions.confidence,
    -- abstaining is an answer to VizWiz alone
    case when lined_predictions.benchmark = 'vizwiz' then lined_predictions.is_idk end
        as is_abstained,
    {{ other_outcomes('is_abstained') }}
from lined_predictions
inner join agreements
    on
        lined_predictions.benchmark = agreements.benchmark
        and lined_predictions.example_id = agreements.example_id
inner join questions
    on
        lined_predictions.benchmark = questions.benchmark
        and lined_predictions.example_id = questions.example_id
left join counted_answers
    on
        lined_predictions.benchmark = counted_answers.benchmark
        and lined_predictions.example_id = counted_answers.example_id
        and case
            when agreements.is_processed then lined_predictions.processed_text
            else lined_predictions.line
        end = counted_answers.answer
