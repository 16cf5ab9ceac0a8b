with

queues as (

    select * from {{ ref('review_queues') }}

),

records as (

    select * from {{ ref('review__records') }}

),

votes as (

    select * from {{ ref('review__votes') }}
    where not is_ruling

),

verdicts as (

    select * from {{ ref('review__verdicts') }}

),

gold_answers as (

    select * from {{ ref('review_gold') }}

),

questions as (

    select
        benchmark,
        queue,
        count(distinct question) as n_questions
    from {{ ref('review_questions') }}
    group by benchmark, queue

),

record_questions as (

    select
        records.benchmark,
        records.queue,
        records.record_id,
        coalesce({{ list_length('records.asked_questions') }}, questions.n_questions) as n_asked
    from records
    inner join questions
        on
            records.benchmark = questions.benchmark
            and records.queue = questions.queue

),

-- a question about a record is done for the reader who answered it, and for all by as many readers
-- as decide it
answered_records as (

    select
        benchmark,
        queue,
        record_id,
        reader,
        count(*) as n_answered
    from votes
    where is_counted
    group by benchmark, queue, record_id, reader
    union all
    select
        benchmark,
        queue,
        record_id,
        'all' as reader,
        count(case when is_decided then 1 end) as n_answered
    from verdicts
    group by benchmark, queue, record_id

),

done_records as (

    select
        answered_records.benchmark,
        answered_records.queue,
        answered_records.reader,
        count(*) as n_begun,
        count(case when answered_records.n_answered >= record_questions.n_asked then 1 end)
            as n_done
    from answered_records
    inner join record_questions
        on
            answered_records.benchmark = record_questions.benchmark
            and answered_records.queue = record_questions.queue
            and answered_records.record_id = record_questions.record_id
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
    left join gold_answers
        on
            votes.benchmark = gold_answers.benchmark
            and votes.queue = gold_answers.queue
            and votes.record_id = gold_answers.record_id
            and votes.question = gold_answers.question

),

votes_of_readers as (

    select
        *,
        reader as counted_for
    from compared_votes
    union all
    select
        *,
        'all' as counted_for
    from compared_votes

),

vote_counts as (

    select
        benchmark,
        queue,
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

    select
        benchmark,
        queue,
        count(*) as n_records
    from records
    group by benchmark, queue

),

queue_readers as (

    select
        benchmark,
        queue,
        'all' as reader
    from queues
    union
    select
        benchmark,
        queue,
        reader
    from votes

),

wanted_votes as (

    select
        benchmark,
        queue,
        coalesce(votes_per_record, {{ var('review_votes_per_record') }}) as votes_per_record
    from queues

),

final as (

    select
        queue_readers.benchmark,
        queue_readers.queue,
        queue_readers.reader,
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
    left join wanted_votes
        on
            queue_readers.benchmark = wanted_votes.benchmark
            and queue_readers.queue = wanted_votes.queue
    left join record_counts
        on
            queue_readers.benchmark = record_counts.benchmark
            and queue_readers.queue = record_counts.queue
    left join done_records
        on
            queue_readers.benchmark = done_records.benchmark
            and queue_readers.queue = done_records.queue
            and queue_readers.reader = done_records.reader
    left join vote_counts
        on
            queue_readers.benchmark = vote_counts.benchmark
            and queue_readers.queue = vote_counts.queue
            and queue_readers.reader = vote_counts.reader

)

select * from final
