-- requests that a chat completion is landed for; a page of a proxy with status 200 is none
select distinct custom_id
from raw.llm_responses
where
    status = 200
    and custom_id is not null
    and case
        when json_valid(body)
            then json_type(json_extract(body, '$.choices[0].message')) = 'OBJECT'
    end
