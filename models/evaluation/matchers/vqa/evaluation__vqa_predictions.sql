with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark in ('vqa', 'okvqa', 'vizwiz')
        and reason is null

),

phrases as (

    select * from {{ ref('evaluation__phrases') }}

),

-- VizWiz has a word for not knowing, and models have many
final as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.benchmark,
        predictions.example_id,
        case
            when predictions.benchmark = 'vizwiz' and phrases.is_idk
                then {{ text_literal(var('vizwiz_unanswerable')) }}
            else predictions.prediction
        end as prediction,
        predictions.confidence,
        coalesce(phrases.is_idk, false) as is_idk
    from predictions
    left join phrases
        on predictions.prediction = phrases.text

)

select * from final
