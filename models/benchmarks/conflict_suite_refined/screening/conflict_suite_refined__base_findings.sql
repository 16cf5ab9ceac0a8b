with

-- the Conflict Suite's bases, and those that it drops for their withdrawn picture alone
suite_bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where
        is_retained
        or drop_stage = 'withdrawal'

),

evidence as (

    select * from {{ ref('conflict_suite__evidence') }}

),

bases as (

    select * from {{ ref('conflict_suite_refined__bases') }}

),

feasible_states as (

    select * from {{ ref('conflict_suite_refined__feasible_states') }}

),

final as (

    select
        suite_bases.base_id as candidate_id,
        suite_bases.drop_detail as withdrawal_detail,
        evidence.evidence_gap as evidence_detail,

        -- `gainsay withdraw` did not take the picture down
        suite_bases.is_retained as passes_withdrawal,

        -- the caption is strict evidence of the gold answer (A2b)
        case
            when evidence.base_id is not null
                then
                    evidence.evidence_is_strict
                    or not {{ var('refined_requires_strict_evidence') }}
        end as passes_evidence,

        -- the base has a text in at least one state
        case when bases.base_id is not null then feasible_states.base_id is not null end
            as passes_text

    from suite_bases
    left join evidence
        on suite_bases.base_id = evidence.base_id
    left join bases
        on suite_bases.base_id = bases.base_id
    left join feasible_states
        on bases.base_id = feasible_states.base_id

)

select * from final
