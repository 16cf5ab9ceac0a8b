{%- set judge = text_literal(var('evaluation_hallucination_judge')) %}

with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'mmhal'
        and reason is null

),

questions as (

    select * from {{ ref('evaluation__vqa_questions') }}
    where benchmark = 'mmhal'

),

inputs as (

    select * from {{ ref('evaluation__hallucination_inputs') }}

),

verdicts as (

    select * from {{ ref('llm__outcomes') }}
    where
        state = 'answered'
        and task = 'hallucination'
        and model = {{ judge }}

),

-- of several answers of the judge the latest counts
ranked_verdicts as (

    select
        input_id,
        cast({{ json_extract_string('answer', '$.rating') }} as double) as rating,
        row_number() over (
            partition by input_id
            order by requested_at desc, custom_id asc
        ) as preference
    from verdicts

),

rated_answers as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.confidence,
        {{ list_value("'question_type=' || questions.question_type") }} as slices,
        case
            -- no judge is shown an empty answer, which says nothing
            when coalesce(trim(predictions.prediction), '') = '' then cast(0 as double)
            else ranked_verdicts.rating
        end as rating
    from predictions
    inner join questions
        on predictions.example_id = questions.example_id
    left join inputs
        on
            predictions.source_file = inputs.source_file
            and predictions.file_position = inputs.file_position
    left join ranked_verdicts
        on
            inputs.input_id = ranked_verdicts.input_id
            and ranked_verdicts.preference = 1

),

final as (

    select
        source_file,
        file_position,
        'judged' as matcher,
        example_id,
        slices,
        coalesce(rating, 0) / 6 as credit,
        confidence,
        rating is not null as is_rated,
        {{ other_outcomes('is_rated') }}
    from rated_answers

)

select * from final
