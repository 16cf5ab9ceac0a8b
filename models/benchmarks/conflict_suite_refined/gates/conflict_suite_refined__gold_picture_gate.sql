with

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

final as (

    select
        candidate_id,
        gold_answer,
        image_supported_target,
        image_source = 'own' or coalesce(image_state <> 'clean', true) as is_passed
    from variants

)

select * from final
