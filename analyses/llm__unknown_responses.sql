select
    responses.source_file, responses.custom_id,
    case
        when responses.custom_id is null then 'no_response'
        else 'unknown_request'
    end as reason,
    responses.error, responses.body, responses.file_position, responses.landed_at
from {{ ref('stg_llm__responses') }} as responses
left join {{ ref('stg_llm__requests') }} as requests using (custom_id)
where requests.custom_id is null
