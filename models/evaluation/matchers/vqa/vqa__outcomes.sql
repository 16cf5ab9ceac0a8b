with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'vqa'
        and reason is null

),

questions as (

    select * from {{ ref('evaluation__vqa_questions') }}

),

texts as (

    select * from {{ ref('evaluation__vqa_texts') }}

),

asked_questions as (

    select distinct {{ vqa_question_id('example_id') }} as question_id
    from predictions

),

human_answers as (

    select
        questions.question_id,
        {{ unnest_list('questions.human_answers') }} as human_answer
    from asked_questions
    inner join questions
        on asked_questions.question_id = questions.question_id

),

lined_answers as (

    select
        human_answers.question_id,
        texts.line,
        texts.processed_text
    from human_answers
    inner join texts
        on human_answers.human_answer = texts.text

),

-- only answers that are not all alike are processed, and then the prediction as well
agreements as (

    select
        question_id,
        min(line) <> max(line) as is_processed
    from lined_answers
    group by question_id

),

counted_answers as (

    select
        lined_answers.question_id,
        case
            when agreements.is_processed then lined_answers.processed_text
            else lined_answers.line
        end as answer,
        count(*) as n_matching
    from lined_answers
    inner join agreements
        on lined_answers.question_id = agreements.question_id
    group by lined_answers.question_id, answer

),

lined_predictions as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.confidence,
        {{ vqa_question_id('predictions.example_id') }} as question_id,
        texts.line,
        texts.processed_text
    from predictions
    left join texts
        on predictions.prediction = texts.text

),

final as (

    select
        lined_predictions.source_file,
        lined_predictions.file_position,
        'vqa_accuracy' as matcher,
        lined_predictions.example_id,
        {{ list_value(
            "'answer_type=' || questions.answer_type",
            "'question_type=' || questions.question_type"
        ) }} as slices,
        -- each of the ten annotators counts the agreeing ones among the other nine
        cast(
            coalesce(counted_answers.n_matching, 0)
            * least(coalesce(counted_answers.n_matching, 0) - 1, 3)
            + (10 - coalesce(counted_answers.n_matching, 0))
            * least(coalesce(counted_answers.n_matching, 0), 3) as double
        ) / 30 as credit,
        lined_predictions.confidence,
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        cast(null as boolean) as is_correct,
        cast(null as boolean) as was_correct,
        cast(null as boolean) as is_abstained,
        cast(null as boolean) as is_gold_abstained,
        cast(null as boolean) as is_contradiction,
        cast(null as boolean) as is_image_only,
        cast(null as boolean) as is_text_only,
        cast(null as boolean) as is_distractor,
        cast(null as boolean) as is_none,
        cast(null as boolean) as is_yes,
        cast(null as boolean) as is_gold_yes,
        cast(null as {{ dbt.type_string() }}) as extraction
    from lined_predictions
    inner join agreements
        on lined_predictions.question_id = agreements.question_id
    inner join questions
        on lined_predictions.question_id = questions.question_id
    left join counted_answers
        on
            lined_predictions.question_id = counted_answers.question_id
            and case
                when agreements.is_processed
                    then lined_predictions.processed_text
                else lined_predictions.line
            end = counted_answers.answer

)

select * from final
