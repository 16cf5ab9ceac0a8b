with

predictions as (

    select * from {{ ref('stg_gainsay__predictions') }}
    where
        benchmark = 'clash'
        and image_only_answer is not null

),

final as (

    select
        source_file,
        file_position,
        {{ clash_sample_id('example_key', 'question') }} as example_id,
        {{ try_cast_bigint('example_key') }} as image_id
    from predictions

)

select * from final
