with

evidence as (

    select * from {{ ref('conflict_suite__evidence') }}

),

final as (

    select
        base_id as candidate_id,
        evidence_gap as drop_detail,
        evidence_is_strict or not {{ var('refined_requires_strict_evidence') }} as is_passed
    from evidence

)

select * from final
