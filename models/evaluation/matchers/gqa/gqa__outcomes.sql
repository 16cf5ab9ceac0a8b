with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'gqa'
        and reason is null

),

questions as (

    select * from {{ ref('evaluation__vqa_questions') }}
    where benchmark = 'gqa'

),

compared_answers as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.confidence,
        {{ list_value(
            "'structural_type=' || questions.question_type",
            "'semantic_type=' || questions.answer_type"
        ) }} as slices,
        coalesce(
            trim({{ lower_text('predictions.prediction') }})
            = trim({{ lower_text('questions.gold_answer') }}),
            false
        ) as is_correct
    from predictions
    inner join questions
        on predictions.example_id = questions.example_id

),

final as (

    select
        source_file,
        file_position,
        'exact' as matcher,
        example_id,
        slices,
        {{ one_if('is_correct') }} as credit,
        confidence,
        is_correct,
        {{ other_outcomes('is_correct') }}
    from compared_answers

)

select * from final
