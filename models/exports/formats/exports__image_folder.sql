{{ config(materialized=kept_as('image-folder')) }}

with

records as (

    select * from {{ ref('exports__conflict_suite') }}
    where picture_state = 'available'

),

final as (

    select
        {{ record_fields() }},
        image,
        image_path,
        image_archive
    from records

)

select * from final
