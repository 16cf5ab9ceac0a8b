{%- set field_path -%} $.' || fields.field || ' {%- endset -%}

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

-- the fields that the task's prompt asks for, and what may stand there
fields as (

    select
        task,
        field,
        kind,
        case when choices <> '' then {{ regexp_split('choices', ' ') }} end as choices
    from {{ ref('llm_fields') }}

),

-- each field of its task as a response has it
given_fields as (

    select
        responses.source_file,
        responses.landed_at,
        responses.file_position,
        fields.kind,
        fields.choices,
        {{ json_type('responses.content', field_path) }} as given_kind,
        {{ json_extract_string('responses.content', field_path) }} as given_value
    from responses
    inner join requests
        on responses.custom_id = requests.custom_id
    inner join fields
        on requests.task = fields.task

),

-- a response that lacks a field of its task, or has something else there
misfits as (

    select distinct
        source_file,
        landed_at,
        file_position
    from given_fields
    where
        given_kind is distinct from kind
        or (choices is not null and not {{ list_contains('choices', 'given_value') }})

),

response_states as (

    select
        responses.*,
        case
            when coalesce(responses.status, 0) <> 200 then 'failed'
            when responses.refusal is not null or responses.finish_reason = 'content_filter'
                then 'refused'
            when responses.finish_reason = 'length' then 'truncated'
            when responses.content is null or misfits.source_file is not null then 'malformed'
            else 'answered'
        end as state
    from responses
    left join misfits
        on
            responses.source_file = misfits.source_file
            and responses.landed_at is not distinct from misfits.landed_at
            and responses.file_position = misfits.file_position

),

-- of several responses the first good one counts, else the first that came
ranked_responses as (

    select
        *,
        row_number() over (
            partition by custom_id
            order by
                case state when 'answered' then 1 when 'failed' then 3 else 2 end,
                landed_at, source_file, file_position
        ) as preference,
        count(*) over (partition by custom_id) as n_responses
    from response_states

),

final as (

    select
        requests.custom_id,
        requests.task,
        requests.model,
        requests.prompt_sha256,
        requests.input_id,
        requests.request_text,
        coalesce(ranked_responses.state, 'open') as state,
        case ranked_responses.state
            when 'refused' then 'response_refused'
            when 'truncated' then 'response_invalid'
            when 'malformed' then 'response_invalid'
            when 'failed' then 'response_missing'
            when 'answered' then null
            else 'response_missing'
        end as reason,
        case when ranked_responses.state = 'answered' then ranked_responses.content end as answer,
        ranked_responses.error,
        coalesce(ranked_responses.n_responses, 0) as n_responses,
        requests.landed_at as requested_at
    from requests
    left join ranked_responses
        on
            requests.custom_id = ranked_responses.custom_id
            and ranked_responses.preference = 1

)

select * from final
