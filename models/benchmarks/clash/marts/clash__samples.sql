with

samples as (

    select * from {{ ref('stg_clash__samples') }}

),

-- of a sample that is released twice, the first counts
final as (

    select
        sample_id,
        {{ clash_sample_columns() }}
    from samples
    where occurrence = 1

)

select * from final
