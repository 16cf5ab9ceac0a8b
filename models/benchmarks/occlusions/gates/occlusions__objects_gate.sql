with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

final as (

    select
        candidate_id,
        categories,
        object_area,
        has_objects as is_passed
    from coverage

)

select * from final
