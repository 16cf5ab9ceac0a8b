with
compared_votes as (
    select votes.*, coalesce(votes.record_md5 <> records.record_md5, true) as is_stale
    from {{ ref('people__votes') }} as votes
    left join {{ ref('review__records') }} as records using (benchmark, queue, record_id)
)

select
    compared_votes.benchmark, compared_votes.queue, compared_votes.record_id, compared_votes.reader,
    compared_votes.question, compared_votes.event_id, compared_votes.record_md5,
    compared_votes.answer, compared_votes.note, compared_votes.is_stale, compared_votes.is_ruling,
    answers.answer is not null
    and not compared_votes.is_stale
    and not compared_votes.is_ruling as is_counted,
    compared_votes.voted_at
from compared_votes
left join {{ ref('review_questions') }} as answers using (benchmark, queue, question, answer)
