with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

final as (

    select
        candidate_id,
        categories,
        not has_crowd as is_passed
    from coverage

)

select * from final
