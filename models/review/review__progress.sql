with
queues as (select * from {{ ref('review_queues') }}),
records as (select * from {{ ref('review__records') }}),

votes as (
    select * from {{ ref('review__votes') }}
    where not is_ruling
),

questions as (
    select benchmark, queue, count(distinct question) as n_questions
    from {{ ref('review_questions') }}
    group by benchmark, queue
),

record_questions as (
    select
        records.benchmark, records.queue, records.record_id,
        coalesce({{ list_length('records.asked_questions') }}, questions.n_questions) as n_asked
    from records
    inner join questions using (benchmark, queue)
),

-- a question about a record is done for the reader who answered it, and for all by as many readers
-- as decide it
answered_records as (
    select benchmark, queue, record_id, reader, count(*) as n_answered
    from votes
    where is_counted
    group by benchmark, queue, record_id, reader
    union all
    select
        benchmark, queue, record_id, 'all' as reader,
        count(case when is_decided then 1 end) as n_answered
    from {{ ref('review__verdicts') }}
    group by benchmark, queue, record_id
),

done_records as (
    select
        answered_records.benchmark, answered_records.queue, answered_records.reader,
        count(*) as n_begun,
        count(case when answered_records.n_answered >= record_questions.n_asked then 1 end)
            as n_done
    from answered_records
    inner join record_questions using (benchmark, queue, record_id)
    group by answered_records.benchmark, answered_records.queue, answered_records.reader
),

compared_votes as (
    select
        votes.*,
        case
            when not votes.is_stale and votes.answer = gold_answers.answer then 1
            when not votes.is_stale and votes.answer <> gold_answers.answer then 0
        end as gold_credit
    from votes
    left join {{ ref('review_gold') }} as gold_answers using (benchmark, queue, record_id, question)
),

votes_of_readers as (
    select *, reader as counted_for from compared_votes
    union all
    select *, 'all' as counted_for from compared_votes
),

vote_counts as (
    select
        benchmark, queue,
        counted_for as reader,
        count(case when is_counted then 1 end) as n_votes,
        count(case when is_stale then 1 end) as n_stale,
        count(case when question = 'flag' and not is_stale then 1 end) as n_flags,
        count(gold_credit) as n_gold,
        coalesce(sum(gold_credit), 0) as n_gold_right
    from votes_of_readers
    group by benchmark, queue, counted_for
),

record_counts as (
    select benchmark, queue, count(*) as n_records
    from records
    group by benchmark, queue
),

queue_readers as (
    select benchmark, queue, 'all' as reader
    from queues
    union
    select benchmark, queue, reader
    from votes
),

wanted_votes as (
    select
        benchmark, queue,
        coalesce(votes_per_record, {{ var('review_votes_per_record') }}) as votes_per_record
    from queues
)

select
    queue_readers.benchmark, queue_readers.queue, queue_readers.reader,
    cast(wanted_votes.votes_per_record as bigint) as votes_per_record,
    cast(coalesce(record_counts.n_records, 0) as bigint) as n_records,
    cast(coalesce(done_records.n_begun, 0) as bigint) as n_begun,
    cast(coalesce(done_records.n_done, 0) as bigint) as n_done,
    cast(coalesce(vote_counts.n_votes, 0) as bigint) as n_votes,
    cast(coalesce(vote_counts.n_stale, 0) as bigint) as n_stale,
    cast(coalesce(vote_counts.n_flags, 0) as bigint) as n_flags,
    cast(coalesce(vote_counts.n_gold, 0) as bigint) as n_gold,
    cast(coalesce(vote_counts.n_gold_right, 0) as bigint) as n_gold_right
from queue_readers
left join wanted_votes using (benchmark, queue)
left join record_counts using (benchmark, queue)
left join done_records using (benchmark, queue, reader)
left join vote_counts using (benchmark, queue, reader)
