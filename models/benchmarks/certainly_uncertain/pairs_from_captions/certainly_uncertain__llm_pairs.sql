{%- set is_telling -%}
    length(token) > {{ var('short_token_length') }} or {{ regexp_matches('token', '[0-9]') }}
{%- endset -%}
with
categories as (
    select * from {{ ref('uncertainty_categories') }}
    where source = 'caption'
),

captions as (select * from {{ ref('certainly_uncertain__image_captions') }}),

-- a request counts only if it quotes the image's captions as they are now; of several by a model an
-- answered one comes first, then the latest
ranked_requests as (
    select
        outcomes.custom_id, categories.category, captions.source_image_id, captions.captions,
        outcomes.model, outcomes.prompt_sha256, outcomes.reason, outcomes.answer,
        row_number() over (
            partition by categories.category, captions.source_image_id, outcomes.model
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from {{ ref('llm__outcomes') }} as outcomes
    inner join categories on outcomes.task = 'uncertainty_' || categories.category
    inner join captions on outcomes.input_id = captions.source_image_id
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'captions': 'captions.captions',
    }) }}
),

requests as (
    select
        custom_id, category, source_image_id, captions, model, prompt_sha256, reason,
        {{ json_field('answer', "'is_good_question'") }} = 'true' as is_good_question,
        trim({{ json_extract_string('answer', '$.object') }}) as object_words,
        trim({{ json_extract_string('answer', '$.answerable_question') }}) as answerable_question,
        trim({{ json_extract_string('answer', '$.answerable_answer') }}) as answerable_answer,
        trim({{ json_extract_string('answer', '$.unanswerable_question') }})
            as unanswerable_question
    from ranked_requests
    where preference = 1
)

-- a request without a pair keeps its own id; empty texts are none
select
    'cu-' || category || '-' || source_image_id || '-' || substr(md5(concat_ws(
        '|',
        model,
        custom_id,
        coalesce(answerable_question, ''),
        coalesce(answerable_answer, ''),
        coalesce(unanswerable_question, '')
    )), 1, 8) as pair_id,
    category, source_image_id,
    model as generator,
    prompt_sha256,
    nullif(object_words, '') as object_words,
    nullif(answerable_question, '') as answerable_question,
    nullif(answerable_answer, '') as answerable_answer,
    nullif(unanswerable_question, '') as unanswerable_question,
    coalesce(
        {{ list_filter(tokens('answerable_answer'), 'token', is_telling) }},
        {{ empty_list('string') }}
    ) as evidence_words,
    {{ list_value('captions') }} as texts_seen,
    reason as response_reason,
    is_good_question
from requests
