with

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

-- what was published asks of no picture what it shows
final as (

    select
        candidate_id,
        image_source,
        is_about_object,
        is_about_object or image_source = 'own' or labels = 'published' as is_passed
    from variants

)

select * from final
