with

requests as (

    select * from {{ ref('stg_llm__requests') }}

),

responses as (

    select * from {{ ref('stg_llm__responses') }}

),

final as (

    select
        responses.source_file,
        responses.custom_id,
        case
            when responses.custom_id is null then 'no_response'
            else 'unknown_request'
        end as reason,
        responses.error,
        responses.body,
        responses.file_position,
        responses.landed_at
    from responses
    left join requests
        on responses.custom_id = requests.custom_id
    where requests.custom_id is null

)

select * from final
