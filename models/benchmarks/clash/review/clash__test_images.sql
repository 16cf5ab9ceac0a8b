with

samples as (

    select * from {{ ref('clash__candidates') }}

),

-- a picture of the test set is never trained on
final as (

    select distinct source_image_id
    from samples
    where origin = 'released'

)

select * from final
