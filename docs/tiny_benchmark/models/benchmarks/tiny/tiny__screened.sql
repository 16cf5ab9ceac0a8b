with
first_failures as (
    {{ first_failures('tiny', 'tiny', [['tiny__findings', ['picture', 'answer+']]]) }}
)

select
    candidates.candidate_id,
    'tiny' as screening,
    'claim' as family,
    candidates.source_image_id,
    cast(null as bigint) as question_id,
    candidates.image_id,
    coalesce(candidates.image_file, 'none') as image_file,
    candidates.question,
    candidates.answer,
    candidates.answer as gold_answer,
    {{ empty_list('string') }} as evidence_words,
    {{ empty_list('string') }} as texts_seen,
    first_failures.drop_stage,
    first_failures.drop_reason,
    first_failures.drop_detail,
    first_failures.candidate_id is null as is_retained
from {{ ref('tiny__candidates') }} as candidates
left join first_failures using (candidate_id)
