with
verdicts as (select * from {{ ref('clash_verdicts') }}),

stages as (
    select distinct stage, task, change_type from verdicts
),

-- a request counts only if it quotes the sample as it is now; of several, an answered one comes
-- first, then the latest
ranked_requests as (
    select
        candidates.sample_id, candidates.change_type, stages.stage, stages.task, outcomes.custom_id,
        outcomes.reason, outcomes.answer,
        row_number() over (
            partition by candidates.sample_id, stages.stage
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from {{ ref('clash__candidates') }} as candidates
    inner join {{ ref('llm__outcomes') }} as outcomes on candidates.sample_id = outcomes.input_id
    inner join stages
        on
            outcomes.task = stages.task
            and stages.change_type in ('any', candidates.change_type)
    inner join {{ ref('llm_quotes') }} as quotes on outcomes.task = quotes.task
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'original_caption': 'candidates.original_caption',
        'conflicting_caption': 'candidates.conflicting_caption',
        'question': 'candidates.question',
        'change_type': 'candidates.change_type',
        'original_words': 'candidates.original_words',
        'conflicting_words': 'candidates.conflicting_words',
        'image_only_answer': 'candidates.image_only_answer',
        'text_only_answer': 'candidates.text_only_answer',
        'distractor_answer': 'candidates.distractor_answer',
    }) }}
),

requests as (
    select * from ranked_requests
    where preference = 1
),

-- the verdicts that the seed asks for this type of change, and that the model denies
failed_verdicts as (
    select
        requests.sample_id, requests.stage,
        {{ array_agg('verdicts.field', order_by='verdicts.field') }} as failed_verdicts
    from requests
    inner join verdicts
        on
            requests.task = verdicts.task
            and verdicts.change_type in ('any', requests.change_type)
    where {{ json_field('requests.answer', 'verdicts.field') }} = 'false'
    group by requests.sample_id, requests.stage
)

select
    requests.sample_id, requests.stage, requests.custom_id,
    requests.reason as response_reason,
    coalesce(failed_verdicts.failed_verdicts, {{ empty_list('string') }})
        as failed_verdicts,
    case when requests.reason is null then failed_verdicts.failed_verdicts is null end as is_passed
from requests
left join failed_verdicts using (sample_id, stage)
