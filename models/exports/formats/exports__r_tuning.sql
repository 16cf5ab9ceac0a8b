{{ config(materialized=kept_as('r-tuning')) }}

with

records as (

    select * from {{ ref('exports__conflict_suite') }}
    where picture_state = 'available'

),

final as (

    select
        example_id,
        split,
        prompt,
        gold_answer as answer,
        oracle_action <> 'abstain' as is_sure,
        image,
        image_path,
        image_archive
    from records

)

select * from final
