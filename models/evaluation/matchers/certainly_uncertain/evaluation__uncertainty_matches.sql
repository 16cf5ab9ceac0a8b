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

judged as (

    select
        predictions.source_file,
        predictions.file_position,
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
        *,
        case
            when is_idk and is_gold_idk then cast(1 as double)
            when is_idk or is_gold_idk then cast(0 as double)
            else lave
        end as lave_idk
    from judged

)

select * from final
