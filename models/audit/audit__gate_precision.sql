with
drawn_candidates as (
    select *, benchmark || '::' || screening || '::' || candidate_id as record_id
    from {{ ref('audit__gate_sample') }}
),

verdicts as (
    select * from {{ ref('review__verdicts') }}
    where benchmark = 'audit' and question in ('should_be_out', 'is_right')
),

votes as (
    select * from {{ ref('review__votes') }}
    where
        benchmark = 'audit'
        and question in ('should_be_out', 'is_right')
        and is_counted
),

-- a record that was judged with and without its reason counts once, as it was judged without
first_verdicts as (
    select
        record_id,
        {{ min_by('question', order_by="queue || ' ' || question") }} as question,
        {{ min_by('verdict', order_by="queue || ' ' || question") }} as verdict
    from verdicts
    group by record_id
),

-- a drop was right where the record should be out, or is not right as it is
judged_records as (
    select
        drawn_candidates.record_id, first_verdicts.verdict,
        case
            when drawn_candidates.stage <> 'retained' and first_verdicts.question = 'is_right'
                then first_verdicts.verdict = 'no'
            else first_verdicts.verdict = 'yes'
        end as is_gate_right
    from first_verdicts
    inner join drawn_candidates on first_verdicts.record_id = drawn_candidates.record_id
),

vote_pairs as (
    select
        votes.record_id,
        count(*) as n_pairs,
        sum({{ one_if('votes.answer = other_votes.answer') }}) as n_alike
    from votes
    inner join votes as other_votes
        on
            votes.queue = other_votes.queue
            and votes.record_id = other_votes.record_id
            and votes.question = other_votes.question
            and votes.reader < other_votes.reader
    group by votes.record_id
),

stage_readers as (
    select
        drawn_candidates.benchmark, drawn_candidates.screening, drawn_candidates.stage,
        count(distinct votes.reader) as n_readers
    from votes
    inner join drawn_candidates using (record_id)
    group by drawn_candidates.benchmark, drawn_candidates.screening, drawn_candidates.stage
),

-- what readers can't tell, or differ about, is not counted as right or wrong
counted_stages as (
    select
        gates.benchmark, gates.screening, gates.stage_order, gates.stage, gates.reason,
        count(drawn_candidates.record_id) as n_sampled,
        count(case when judged_records.verdict in ('yes', 'no') then 1 end) as n,
        count(case when judged_records.is_gate_right then 1 end) as n_right,
        count(case when judged_records.verdict not in ('yes', 'no') then 1 end) as n_unsure,
        sum(vote_pairs.n_pairs) as n_pairs,
        sum(vote_pairs.n_alike) as n_alike
    from {{ ref('audit__gates') }} as gates
    left join drawn_candidates using (benchmark, screening, stage)
    left join judged_records on drawn_candidates.record_id = judged_records.record_id
    left join vote_pairs on drawn_candidates.record_id = vote_pairs.record_id
    group by gates.benchmark, gates.screening, gates.stage_order, gates.stage, gates.reason
),

measured_stages as (
    select
        *,
        cast(n_right as double) / nullif(n, 0) as share,
        -- Wilson's score interval of 95 %: so many standard errors on each side, squared
        1.959963984540054 * 1.959963984540054 as z_squared
    from counted_stages
),

intervals as (
    select
        *,
        (share + z_squared / (2.0 * n)) / (1 + z_squared / n) as middle,
        sqrt(z_squared * (share * (1 - share) + z_squared / (4.0 * n)) / n) / (1 + z_squared / n)
            as half_width
    from measured_stages
    where n > 0
)

select
    measured_stages.benchmark, measured_stages.screening, measured_stages.stage,
    measured_stages.reason,
    cast(measured_stages.stage_order as bigint) as stage_order,
    cast(measured_stages.n_sampled as bigint) as n_sampled,
    cast(measured_stages.n as bigint) as n,
    cast(measured_stages.n_right as bigint) as n_right,
    cast(measured_stages.n_unsure as bigint) as n_unsure,
    round(measured_stages.share, 9) as share,
    round(intervals.middle - intervals.half_width, 9) as low,
    round(intervals.middle + intervals.half_width, 9) as high,
    cast(coalesce(stage_readers.n_readers, 0) as bigint) as n_readers,
    round(
        cast(measured_stages.n_alike as double) / nullif(measured_stages.n_pairs, 0), 9
    ) as agreement,
    measured_stages.stage = 'retained' as is_retained_sample
from measured_stages
left join intervals using (benchmark, screening, stage)
left join stage_readers using (benchmark, screening, stage)
