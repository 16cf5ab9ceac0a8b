with

votes as (

    select * from {{ ref('people__votes') }}

),

records as (

    select * from {{ ref('review__records') }}

),

answers as (

    select * from {{ ref('review_questions') }}

),

compared_votes as (

    select
        votes.*,
        coalesce(votes.record_md5 <> records.record_md5, true) as is_stale
    from votes
    left join records
        on
            votes.benchmark = records.benchmark
            and votes.queue = records.queue
            and votes.record_id = records.record_id

),

final as (

    select
        compared_votes.benchmark,
        compared_votes.queue,
        compared_votes.record_id,
        compared_votes.reader,
        compared_votes.question,
        compared_votes.event_id,
        compared_votes.record_md5,
        compared_votes.answer,
        compared_votes.note,
        compared_votes.is_stale,
        compared_votes.is_ruling,
        answers.answer is not null
        and not compared_votes.is_stale
        and not compared_votes.is_ruling as is_counted,
        compared_votes.voted_at
    from compared_votes
    left join answers
        on
            compared_votes.benchmark = answers.benchmark
            and compared_votes.queue = answers.queue
            and compared_votes.question = answers.question
            and compared_votes.answer = answers.answer

)

select * from final
