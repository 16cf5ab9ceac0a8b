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
        {{ normalized_text('predictions.prediction') }} = examples.target as is_correct
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
        {{ list_value("'operator=' || operator") }} as slices,
        {{ one_if('is_correct') }} as credit,
        confidence,
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        is_correct,
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
    from compared_answers

)

select * from final
