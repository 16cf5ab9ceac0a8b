with
captions as (select * from {{ ref('certainly_uncertain__image_captions') }}),

outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'uncertainty_check'
),

-- a verdict counts only if its request quotes the pair and the captions as they are now
ranked_requests as (
    select
        pairs.pair_id, outcomes.reason, outcomes.answer,
        row_number() over (
            partition by pairs.pair_id
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from outcomes
    inner join {{ ref('certainly_uncertain__caption_pairs') }} as pairs
        on outcomes.input_id = pairs.pair_id
    inner join captions using (source_image_id)
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'captions': 'captions.captions',
        'answerable_question': 'pairs.answerable_question',
        'answerable_answer': 'pairs.answerable_answer',
        'unanswerable_question': 'pairs.unanswerable_question',
        'category': 'pairs.category',
    }) }}
)

select
    pair_id,
    reason as response_reason,
    {{ json_field('answer', "'is_answerable'") }} = 'true' as is_answerable,
    {{ json_field('answer', "'is_answer_right'") }} = 'true' as is_answer_right,
    {{ json_field('answer', "'is_open'") }} = 'true' as is_open,
    {{ json_field('answer', "'is_category_right'") }} = 'true' as is_category_right
from ranked_requests
where preference = 1
