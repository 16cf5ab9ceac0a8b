with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

final as (

    select
        candidate_id,
        mask_error as drop_detail,
        mask_error is null as is_passed
    from coverage

)

select * from final
