with
screened as (
    {{ union_of_ports(
        'screened', ['screening', 'candidate_id', 'drop_stage', 'drop_reason', 'is_retained']
    ) }}
)

-- a stage without its reason, or one that the benchmark's seed of gates does not list; and a drop
-- that the audit does not explain, or an explanation of what is retained
select
    screened.benchmark,
    screened.screening,
    screened.candidate_id,
    screened.drop_stage,
    screened.drop_reason,
    screened.is_retained,
    drops.candidate_id is not null as is_explained
from screened
left join {{ ref('audit__gates') }} as gates
    on
        screened.benchmark = gates.benchmark
        and screened.screening = gates.screening
        and coalesce(screened.drop_stage, 'retained') = gates.stage
left join {{ ref('audit__drops') }} as drops
    on
        screened.benchmark = drops.benchmark
        and screened.screening = drops.screening
        and screened.candidate_id = drops.candidate_id
where
    gates.stage is null
    or screened.is_retained <> (screened.drop_stage is null)
    or coalesce(screened.drop_reason, 'retained') <> gates.reason
    or screened.is_retained <> (drops.candidate_id is null)
