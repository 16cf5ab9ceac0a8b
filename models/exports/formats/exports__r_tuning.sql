{{ config(materialized=kept_as('r-tuning')) }}

with

records as (

    select * from {{ ref('exports__records') }}
    where picture_state = 'available'

),

final as (

    select
        benchmark,
        example_id,
        split,
        prompt,
        gold_answer as answer,
        not is_abstention_right as is_sure,
        image,
        image_path,
        image_archive
    from records

)

select * from final
