with
gold_questions as (
    select question_id
    from {{ ref('conflict_suite__question_findings') }}
    where gold_answer is not null
),

-- a caption may be kept that supports the answer; without the filter any may
question_captions as (
    select
        question_id,
        case
            when is_support or not {{ var('conflict_suite_consistency_filter') }} then caption_id
        end as caption_id,
        case
            when is_support or not {{ var('conflict_suite_consistency_filter') }}
                then caption_position
        end as caption_position
    from {{ ref('conflict_suite__caption_evidence') }}
),

-- the first of them, null where there is none
seen_captions as (
    select question_id, {{ min_by('caption_id', order_by='caption_position') }} as caption_id
    from question_captions
    group by question_id
)

select
    gold_questions.question_id, seen_captions.caption_id,
    -- the image has a caption at all
    seen_captions.question_id is not null as passes_caption,
    -- a caption supports the gold answer; without `conflict_suite_consistency_filter` any does
    seen_captions.caption_id is not null as passes_consistency
from gold_questions
left join seen_captions using (question_id)
