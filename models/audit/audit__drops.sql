-- a view, because all its columns but the last two repeat the screening, and drops are many
{{ config(materialized='view') }}
with
screened as (
    {{ union_of_ports('screened') }}
),

captions as (select * from {{ ref('images__captions') }}),

image_captions as (
    select source_image_id, {{ array_agg('caption', order_by='caption_position') }} as captions
    from captions
    group by source_image_id
)

-- where a gate dropped the candidate before any read its captions, none were seen
select
    screened.benchmark, screened.screening, screened.candidate_id,
    screened.drop_stage as stage,
    screened.drop_reason as reason,
    screened.family, screened.question_id, screened.image_id, screened.source_image_id,
    screened.image_file, screened.question, screened.answer, screened.gold_answer,
    screened.evidence_words,
    case
        when gates.sees_captions
            then coalesce(image_captions.captions, {{ empty_list('string') }})
        else coalesce(screened.texts_seen, {{ empty_list('string') }})
    end as captions_seen,
    gates.description
    || coalesce(': ' || coalesce(details.meaning, screened.drop_detail), '') as what_failed
from screened
inner join {{ ref('audit__gates') }} as gates
    on
        screened.benchmark = gates.benchmark
        and screened.screening = gates.screening
        and screened.drop_stage = gates.stage
left join {{ ref('drop_details') }} as details on screened.drop_detail = details.detail
left join image_captions
    on screened.source_image_id = image_captions.source_image_id and gates.sees_captions
where not screened.is_retained
