with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'certainly_uncertain'
        and reason is null

),

phrases as (

    select * from {{ ref('evaluation__phrases') }}

),

ratings as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        {{ list_value("'condition=' || predictions.condition") }} as slices,
        coalesce(of_prediction.is_idk, false) as is_idk,
        coalesce(of_gold.is_idk, false) as is_gold_idk,
        cast(predictions.lave_rating - 1 as double) / 2 as lave,
        case
            when predictions.p_yes + predictions.p_no > 0
                then predictions.p_yes / (predictions.p_yes + predictions.p_no)
        end as p_correct
    from predictions
    left join phrases as of_prediction
        on predictions.prediction = of_prediction.text
    left join phrases as of_gold
        on predictions.gold_answer = of_gold.text

),

final as (

    select
        source_file,
        file_position,
        'lave_idk' as matcher,
        example_id,
        slices,
        case
            when is_idk and is_gold_idk then cast(1 as double)
            when is_idk or is_gold_idk then cast(0 as double)
            else lave
        end as credit,
        p_correct as confidence,
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        cast(null as boolean) as is_correct,
        cast(null as boolean) as was_correct,
        is_idk as is_abstained,
        is_gold_idk as is_gold_abstained,
        cast(null as boolean) as is_contradiction,
        cast(null as boolean) as is_image_only,
        cast(null as boolean) as is_text_only,
        cast(null as boolean) as is_distractor,
        cast(null as boolean) as is_none,
        cast(null as boolean) as is_yes,
        cast(null as boolean) as is_gold_yes,
        cast(null as {{ dbt.type_string() }}) as extraction
    from ratings

)

select * from final
