{%- set picture = 'coalesce(cast(image_id as string), source_image_id)' -%}
with
outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'clash_spatial_question'
),

-- a request counts only if it quotes the edit as it is now
quoted_requests as (
    select
        outcomes.custom_id,
        spatial_edits.*,
        trim({{ json_extract_string('outcomes.answer', '$.question') }}) as question,
        trim({{ json_extract_string('outcomes.answer', '$.irrelevant_but_plausible') }})
            as distractor_answer,
        outcomes.reason as response_reason,
        outcomes.requested_at
    from outcomes
    inner join {{ ref('clash__spatial_edits') }} as spatial_edits
        on outcomes.input_id = spatial_edits.proposal_id
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'original_caption': 'spatial_edits.original_caption',
        'conflicting_caption': 'spatial_edits.conflicting_caption',
        'original_words': 'spatial_edits.original_words',
        'conflicting_words': 'spatial_edits.conflicting_words',
    }) }}
)

-- of several questions to an edit the latest counts
select
    custom_id, proposal_id,
    case
        when response_reason is null then {{ clash_sample_id(picture, 'question') }}
    end as sample_id,
    image_id, source_image_id, original_caption, conflicting_caption, question,
    'relation' as change_type,
    lower(original_words) as image_only_answer,
    lower(conflicting_words) as text_only_answer,
    distractor_answer, original_words, conflicting_words,
    {{ list_value('category') }} as categories,
    relation as subcategory,
    response_reason,
    response_reason is null
    and row_number() over (
        partition by proposal_id, response_reason is null
        order by requested_at desc, custom_id asc
    ) = 1 as is_sample
from quoted_requests
