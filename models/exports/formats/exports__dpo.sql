{{ config(materialized=kept_as('dpo')) }}

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
        target,
        case
            when oracle_action = 'abstain' then gold_answer
            else {{ text_literal(var('export_abstention')) }}
        end as rejected,
        image,
        image_path,
        image_archive
    from records

)

select * from final
