with

candidates as (

    select * from {{ ref('clash__candidates') }}
    where change_type = 'relation'

),

quotas as (

    select * from {{ ref('clash_spatial_quotas') }}

),

-- what an earlier gate drops takes nobody's place
earlier_failures as (

    {{ first_failed_gate('clash', sample_gates()) }}

),

ranked_candidates as (

    select
        candidates.sample_id,
        candidates.subcategory as relation,
        row_number() over (
            partition by candidates.subcategory
            order by {{ seeded_order('spatial', 'candidates.sample_id') }}, candidates.sample_id
        ) as place_in_relation
    from candidates
    left join earlier_failures
        on candidates.sample_id = earlier_failures.candidate_id
    where earlier_failures.candidate_id is null

),

-- a relation that has no quota is not limited
final as (

    select
        ranked_candidates.sample_id as candidate_id,
        coalesce(ranked_candidates.place_in_relation <= quotas.quota, true) as is_passed,
        ranked_candidates.relation,
        cast(ranked_candidates.place_in_relation as bigint) as place_in_relation
    from ranked_candidates
    left join quotas
        on ranked_candidates.relation = quotas.relation

)

select * from final
