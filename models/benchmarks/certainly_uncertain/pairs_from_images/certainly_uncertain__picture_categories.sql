with

objects as (

    select * from {{ ref('certainly_uncertain__picture_objects') }}

),

final as (

    select
        source_image_id,
        object_name,
        count(*) as n_objects,
        bool_or(is_crowd) as has_crowd
    from objects
    group by source_image_id, object_name

)

select * from final
