with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

evidence as (

    select * from {{ ref('conflict_suite__evidence') }}

),

-- the caption stands beside every occluded picture, and answers where its evidence is strict
final as (

    select
        coverage.candidate_id,
        evidence.evidence_gap as drop_detail,
        evidence.evidence_is_strict
        or {{ not var('refined_requires_strict_evidence') }} as is_passed
    from coverage
    left join evidence
        on coverage.base_id = evidence.base_id

)

select * from final
