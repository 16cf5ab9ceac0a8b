with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'tiny'
        and reason is null

),

examples as (

    select * from {{ ref('tiny__examples') }}

),

compared_answers as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.confidence,
        examples.operator,
        examples.split,
        {{ normalized_text('predictions.prediction') }} = examples.target as is_correct,
        {{ normalized_text('predictions.prediction') }} = 'yes' as is_yes
    from predictions
    inner join examples
        on predictions.example_id = examples.example_id

),

final as (

    select
        source_file,
        file_position,
        'same_word' as matcher,
        example_id,
        {{ list_value("'operator=' || operator", "'split=' || split") }} as slices,
        {{ one_if('is_correct') }} as credit,
        confidence,
        is_correct,
        is_yes,
        {{ other_outcomes('is_correct', 'is_yes') }}
    from compared_answers

)

select * from final
