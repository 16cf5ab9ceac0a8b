with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is not null
),

rejected_records as (
    select * from {{ ref('stg_gainsay__rejected_records') }}
    where array_name = 'predictions' and not is_of_landed_record
),

unscored as (
    select
        predictions.source_file, predictions.reason, predictions.example_key,
        predictions.prediction,
        rejections.description as what_failed,
        predictions.file_position
    from predictions
    inner join {{ ref('prediction_rejections') }} as rejections using (reason)
),

unfit as (
    select
        source_file, 'layout_violation' as reason, cast(null as string) as example_key,
        record as prediction,
        field || ' is ' || found || ', expected ' || expected as what_failed,
        file_position
    from rejected_records
)

select * from unscored
union all
select * from unfit
