with
screened as (
    {{ union_of_described('screened', ['category', 'stages_not_asked']) }}
),

examples as (
    {{ union_of_ports('examples', ['example_id', 'group_id', 'split']) }}
),

-- variants of a base may lie in several splits; the first of them, the clean one, says the base's
group_splits as (
    select
        benchmark,
        group_id,
        {{ min_by('split', order_by='example_id') }} as split
    from examples
    group by benchmark, group_id
)

-- a candidate is what examples are grouped by, or one example
select
    screened.benchmark,
    screened.screening,
    screened.candidate_id,
    coalesce(screened.drop_stage, 'retained') as stage,
    coalesce(screened.drop_reason, 'retained') as reason,
    screened.family,
    screened.category,
    coalesce(group_splits.split, examples.split) as split,
    {{ regexp_extract('screened.source_image_id', '^[a-z]+') }} as source,
    screened.question_id,
    screened.image_id,
    screened.source_image_id,
    screened.image_file,
    screened.question,
    screened.answer,
    screened.gold_answer,
    screened.evidence_words,
    screened.texts_seen,
    coalesce(details.meaning, screened.drop_detail) as drop_detail,
    screened.stages_not_asked,
    screened.is_retained
from screened
left join {{ ref('drop_details') }} as details
    on screened.drop_detail = details.detail
left join group_splits
    on
        screened.benchmark = group_splits.benchmark
        and screened.candidate_id = group_splits.group_id
        and screened.is_retained
left join examples
    on
        screened.benchmark = examples.benchmark
        and screened.candidate_id = examples.example_id
        and screened.is_retained
