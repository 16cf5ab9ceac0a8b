with

outcomes as (

    select * from {{ ref('tiny__outcomes') }}

),

final as (

    select
        source_file,
        file_position,
        matcher,
        'accuracy' as metric,
        credit as numerator,
        cast(1 as double) as denominator
    from outcomes

)

select * from final
