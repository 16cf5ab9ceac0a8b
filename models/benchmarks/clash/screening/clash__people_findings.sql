with
people_verdicts as (
    select * from {{ ref('people__verdicts') }}
    where benchmark = 'clash' and queue = 'validation' and is_decided
),

-- a verdict counts while the sample is the one that its readers saw
verdicts as (
    select
        record_hashes.sample_id, people_verdicts.question, people_verdicts.n_votes,
        people_verdicts.n_accepting, people_verdicts.is_accepted
    from people_verdicts
    inner join {{ ref('clash__record_hashes') }} as record_hashes
        on
            people_verdicts.record_id = record_hashes.sample_id
            and people_verdicts.record_md5 = record_hashes.record_md5
)

select
    sample_id as candidate_id,
    cast(max(n_votes) as bigint) as n_human_verdicts,
    cast(min(n_accepting) as bigint) as n_human_accepts,
    -- people answer every question in the sample's favour: one answer against it drops it
    count(case when not is_accepted then 1 end) = 0 as passes_human_check,
    min(case when not is_accepted then question end) as human_check_detail,
    -- each question has an answer that more than half of the readers give: a sample that
    -- people leave open is not given out as right
    count(is_accepted) = count(*) as passes_undecided,
    min(case when is_accepted is null then question end) as undecided_detail
from verdicts
group by sample_id
