-- a view: every column but the last is one of the screening, and there are many drops
{{ config(materialized='view') }}

with

dropped as (

    select * from {{ ref('conflict_suite__screened') }}
    where not is_retained

),

reasons as (

    select * from {{ ref('drop_reasons') }}
    where benchmark = 'conflict_suite'

),

final as (

    select
        'conflict_suite' as benchmark,
        dropped.base_id as candidate_id,
        dropped.drop_stage as stage,
        dropped.drop_reason as reason,
        dropped.family,
        dropped.question_id,
        dropped.image_id,
        dropped.image_file,
        dropped.question,
        dropped.multiple_choice_answer as answer,
        dropped.gold_answer,
        dropped.evidence_words,
        dropped.captions_seen,
        reasons.description as what_failed
    from dropped
    inner join reasons
        on dropped.drop_stage = reasons.stage

)

select * from final
