with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where reason is not null

),

rejected_records as (

    select * from {{ ref('stg_gainsay__rejected_records') }}
    where array_name = 'predictions'

),

rejections as (

    select * from {{ ref('prediction_rejections') }}

),

unscored as (

    select
        predictions.source_file,
        predictions.reason,
        predictions.example_key,
        predictions.prediction,
        rejections.description as what_failed,
        predictions.file_position
    from predictions
    inner join rejections
        on predictions.reason = rejections.reason

),

unfit as (

    select
        source_file,
        'layout_violation' as reason,
        cast(null as {{ dbt.type_string() }}) as example_key,
        record as prediction,
        field || ' is ' || found || ', expected ' || expected as what_failed,
        file_position
    from rejected_records

),

final as (

    select * from unscored
    union all
    select * from unfit

)

select * from final
