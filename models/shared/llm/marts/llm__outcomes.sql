with
requests as (select * from {{ ref('stg_llm__requests') }}),

request_texts as (
    select *, {{ json_extract_string('body', '$.messages[1].content') }} as request_text
    from requests
),

messages as (
    select
        *,
        {{ json_extract_string('body', '$.choices[0].message.content') }} as content,
        {{ json_extract_string('body', '$.choices[0].message.refusal') }} as refusal,
        {{ json_extract_string('body', '$.choices[0].finish_reason') }} as finish_reason
    from {{ ref('stg_llm__responses') }}
),

-- the fields that a task's prompt asks for, and what may stand there
task_fields as (
    select
        task, field, kind,
        case when choices <> '' then {{ regexp_split('choices', ' ') }} end as choices
    from {{ ref('llm_fields') }}
),

-- each field of its task as a response has it
given_fields as (
    select
        messages.source_file, messages.landed_at, messages.file_position, task_fields.kind,
        task_fields.choices,
        {{ json_field_type('messages.content', 'task_fields.field') }} as given_kind,
        {{ json_field('messages.content', 'task_fields.field') }} as given_value
    from messages
    inner join requests using (custom_id)
    inner join task_fields using (task)
),

-- a response that lacks a field of its task, or has something else there
misfits as (
    select distinct source_file, landed_at, file_position
    from given_fields
    where
        given_kind is distinct from kind
        or (choices is not null and not array_contains(choices, given_value))
),

response_states as (
    select
        messages.*,
        case
            when coalesce(messages.status, 0) <> 200 then 'failed'
            when messages.refusal is not null or messages.finish_reason = 'content_filter'
                then 'refused'
            when messages.finish_reason = 'length' then 'truncated'
            when messages.content is null or misfits.source_file is not null then 'malformed'
            else 'answered'
        end as state
    from messages
    left join misfits
        on
            messages.source_file = misfits.source_file
            and messages.landed_at is not distinct from misfits.landed_at
            and messages.file_position = misfits.file_position
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
)

select
    request_texts.custom_id,
    request_texts.task,
    request_texts.model,
    request_texts.prompt_sha256,
    request_texts.input_id,
    request_texts.request_text,
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
    request_texts.landed_at as requested_at
from request_texts
left join ranked_responses
    on
        request_texts.custom_id = ranked_responses.custom_id
        and ranked_responses.preference = 1
