with

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

final as (

    select
        candidate_id,
        image_source,
        shown_image_id,
        shown_image_id is not null as is_passed
    from variants

)

select * from final
