with

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

final as (

    select
        candidate_id,
        image_donor_id,
        image_source = 'own' or image_donor_id is not null as is_passed
    from variants

)

select * from final
