{{ config(materialized=kept_as('jsonl')) }}

with

records as (

    select * from {{ ref('exports__conflict_suite') }}

),

final as (

    select
        {{ record_fields() }}
    from records

)

select * from final
