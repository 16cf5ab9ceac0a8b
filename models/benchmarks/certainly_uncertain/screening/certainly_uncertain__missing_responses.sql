with

pairs as (

    select * from {{ ref('certainly_uncertain__caption_pairs') }}

),

verdicts as (

    select * from {{ ref('certainly_uncertain__check_verdicts') }}

),

-- a pair without its questions needs no verdict
final as (

    select
        pairs.pair_id as candidate_id,
        coalesce(
            pairs.response_reason,
            verdicts.response_reason,
            'response_missing'
        ) as response_reason
    from pairs
    left join verdicts
        on pairs.pair_id = verdicts.pair_id
    where
        pairs.response_reason is not null
        or (
            {{ var('certainly_uncertain_needs_check') }}
            and pairs.answerable_question is not null
            and (verdicts.pair_id is null or verdicts.response_reason is not null)
        )

)

select * from final
