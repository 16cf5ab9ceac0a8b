with

candidates as (

    select
        sample_id,
        source_image_id
    from {{ ref('clash__candidates') }}

),

withdrawn_images as (

    select * from {{ ref('stg_gainsay__withdrawn_images') }}

),

final as (

    select
        candidates.sample_id as candidate_id,
        withdrawn_images.reason as drop_detail,
        withdrawn_images.source_image_id is null as is_passed
    from candidates
    left join withdrawn_images
        on candidates.source_image_id = withdrawn_images.source_image_id

)

select * from final
