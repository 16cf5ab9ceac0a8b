with
screened as (
    {{ union_of_ports('screened', ['screening', 'candidate_id', 'is_retained']) }}
)

-- as many drops of a screening in the audit as in the screening itself
select
    screened.benchmark,
    screened.screening,
    screened.candidate_id
from screened
left join {{ ref('audit__drops') }} as drops
    on
        screened.benchmark = drops.benchmark
        and screened.screening = drops.screening
        and screened.candidate_id = drops.candidate_id
where screened.is_retained <> (drops.candidate_id is null)
