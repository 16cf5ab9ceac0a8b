with
screened as (
    {{ union_of_described(
        'screened', ['category', 'operator', 'categories', 'stages_not_asked']
    ) }}
),

examples as (
    {{ union_of_ports('examples', ['example_id', 'group_id', 'split']) }}
),

-- variants of a base may lie in several splits; the first of them, the clean one, says the base's
group_splits as (
    select benchmark, group_id, {{ min_by('split', order_by='example_id') }} as split
    from examples
    group by benchmark, group_id
),

-- what people say of a record: that it is right as it is, in all that they were asked; who can't
-- tell says neither. The gates' queues name a candidate with its screening, the others of a
-- benchmark by its id
people_verdicts as (
    select
        benchmark, record_id,
        case
            when verdict = 'unsure' then null
            when question = 'should_be_out' then not is_accepted
            else is_accepted
        end as is_right
    from {{ ref('people__verdicts') }}
    where is_decided
),

people_judgements as (
    select
        benchmark, record_id,
        case
            when not bool_and(coalesce(is_right, true)) then 'wrong'
            when count(is_right) < count(*) then 'undecided'
            else 'right'
        end as verdict
    from people_verdicts
    group by benchmark, record_id
),

landed_pictures as (
    select distinct source_image_id from {{ ref('images__files') }}
)

-- a candidate is what examples are grouped by, or one example
select
    screened.benchmark, screened.screening, screened.candidate_id,
    coalesce(screened.drop_stage, 'retained') as stage,
    coalesce(screened.drop_reason, 'retained') as reason,
    screened.family,
    screened.category,
    coalesce(group_splits.split, examples.split) as split,
    {{ regexp_extract('screened.source_image_id', '^[a-z]+') }} as source,
    screened.operator,
    screened.categories as object,
    case
        when screened.source_image_id is null then 'none'
        when landed_pictures.source_image_id is null then 'not landed'
        else 'landed'
    end as picture,
    -- the verdict is on the gates: of a dropped record that is right they were wrong
    case coalesce(gate_judgements.verdict, judgements.verdict)
        when 'right'
            then case when screened.is_retained then 'rightly retained' else 'wrongly dropped' end
        when 'wrong'
            then case when screened.is_retained then 'wrongly retained' else 'rightly dropped' end
        when 'undecided' then 'undecided'
    end as judged,
    screened.question_id, screened.image_id, screened.source_image_id, screened.image_file,
    screened.question, screened.answer, screened.gold_answer, screened.evidence_words,
    screened.texts_seen,
    coalesce(details.meaning, screened.drop_detail) as drop_detail,
    screened.stages_not_asked,
    screened.is_retained
from screened
left join {{ ref('drop_details') }} as details on screened.drop_detail = details.detail
left join landed_pictures on screened.source_image_id = landed_pictures.source_image_id
left join people_judgements as judgements
    on
        screened.benchmark = judgements.benchmark
        and screened.candidate_id = judgements.record_id
left join people_judgements as gate_judgements
    on
        gate_judgements.benchmark = 'audit'
        and screened.benchmark || '::' || screened.screening || '::' || screened.candidate_id
        = gate_judgements.record_id
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
