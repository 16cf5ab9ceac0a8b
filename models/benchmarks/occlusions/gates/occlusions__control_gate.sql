with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

final as (

    select
        candidate_id,
        recipe_error as drop_detail,
        recipe_error is null as is_passed
    from coverage

)

select * from final
