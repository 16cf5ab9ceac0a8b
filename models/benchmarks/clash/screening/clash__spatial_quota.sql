with
candidates as (
    select * from {{ ref('clash__candidates') }}
    where change_type = 'relation'
),

-- a sample that an earlier gate drops takes no place
earlier_failures as (
    {{ first_failures('clash', 'clash', before='clash__spatial_quota') }}
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
    left join earlier_failures on candidates.sample_id = earlier_failures.candidate_id
    where earlier_failures.candidate_id is null
)

-- a relation that has no quota is not limited
select
    ranked_candidates.sample_id as candidate_id,
    ranked_candidates.relation,
    cast(ranked_candidates.place_in_relation as bigint) as place_in_relation,
    coalesce(ranked_candidates.place_in_relation <= quotas.value, true) as passes_spatial_quota
from ranked_candidates
left join {{ ref('clash_thresholds') }} as quotas
    on quotas.concern = 'spatial_quota' and ranked_candidates.relation = quotas.name
