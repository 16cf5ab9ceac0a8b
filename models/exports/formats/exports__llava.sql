{{ config(materialized=kept_as('llava')) }}

with

records as (

    select * from {{ ref('exports__conflict_suite') }}
    where picture_state = 'available'

),

final as (

    select
        example_id,
        split,
        prompt,
        target,
        image,
        image_path,
        image_archive
    from records

)

select * from final
