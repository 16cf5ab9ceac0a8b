{{ config(materialized=kept_as('jsonl')) }}

with

records as (

    select * from {{ ref('exports__records') }}

),

final as (

    select
        benchmark,
        {{ record_fields() }},
        target
    from records

)

select * from final
