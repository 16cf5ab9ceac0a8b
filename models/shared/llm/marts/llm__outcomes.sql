with

requests as (

    select
        *,
        {{ json_extract_string('body', '$.messages[1].content') }} as request_text
    from {{ ref('stg_llm__requests') }}

),

responses as (

    select
        *,
        {{ json_extract_string('body', '$.choices[0].message.content') }} as content,
        {{ json_extract_string('body', '$.choices[0].message.refusal') }} as refusal,
        {{ json_extract_string('body', '$.choices[0].finish_reason') }} as finish_reason
    from {{ ref('stg_llm__responses') }}

),

-- the fields that the task's prompt asks for
fields as (

    select * from {{ ref('llm_fields') }}

),

-- an answer that lacks a field of its task, or has something else there
lacking as (

    select distinct
        responses.source_file,
        responses.landed_at,
        responses.file_position
    from responses
    inner join requests
        on responses.custom_id = requests.custom_id
    inner join fields
        on requests.task = fields.task
    where
        {{ json_type('responses.content', "$.' || fields.field || '") }}
        is distinct from fields.kind
        or (
            fields.choices <> ''
            and ' ' || fields.choices || ' ' not like
            '% ' || {{ json_extract_string('responses.content', "$.' || fields.field || '") }} || ' %'
        )

),

judged as (

    select
        responses.*,
        case
            when coalesce(responses.status, 0) <> 200 then 'failed'
            when responses.refusal is not null or responses.finish_reason = 'content_filter'
                then 'refused'
            when responses.finish_reason = 'length' then 'truncated'
            when responses.content is null or lacking.source_file is not null then 'malformed'
            else 'answered'
        end as state
    from responses
    left join lacking
        on
            responses.source_file = lacking.source_file
            and responses.landed_at is not distinct from lacking.landed_at
            and responses.file_position = lacking.file_position

),

-- of several responses the first good one counts, else the first that came
ranked as (

    select
        *,
        row_number() over (
            partition by custom_id
            order by
                case state when 'answered' then 1 when 'failed' then 3 else 2 end,
                landed_at, source_file, file_position
        ) as preference,
        count(*) over (partition by custom_id) as n_responses
    from judged

),

final as (

    select
        requests.custom_id,
        requests.task,
        requests.model,
        requests.prompt_sha256,
        requests.input_id,
        requests.request_text,
        coalesce(ranked.state, 'open') as state,
        case ranked.state
            when 'refused' then 'response_refused'
            when 'truncated' then 'response_invalid'
            when 'malformed' then 'response_invalid'
            when 'failed' then 'response_missing'
            when 'answered' then null
            else 'response_missing'
        end as reason,
        case when ranked.state = 'answered' then ranked.content end as answer,
        ranked.error,
        coalesce(ranked.n_responses, 0) as n_responses,
        requests.landed_at as requested_at
    from requests
    left join ranked
        on
            requests.custom_id = ranked.custom_id
            and ranked.preference = 1

)

select * from final
