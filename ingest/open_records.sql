-- the records of a queue that a reader has not answered every question of
with
answers as (
    select votes.benchmark, votes.queue, votes.record_id, votes.record_md5, count(*) as n_answers
    from people.people__votes as votes
    where
        votes.reader = getvariable('reader')
        and not votes.is_ruling
        and votes.question in (select unnest(getvariable('questions')))
    group by all
)

select records.record_id, records.record_md5, records.shown
from review.review__records as records
left join answers using (benchmark, queue, record_id, record_md5)
where
    records.benchmark = coalesce(getvariable('benchmark'), records.benchmark)
    and records.queue = coalesce(getvariable('queue'), records.queue)
    and (getvariable('split') is null or records.split = getvariable('split'))
    and (
        getvariable('record_ids') is null
        or list_contains(getvariable('record_ids'), records.record_id)
    )
    and (
        getvariable('language') is null
        or json_extract_string(records.shown, '$.texts[#-1].language') = getvariable('language')
    )
    and coalesce(answers.n_answers, 0)
    < coalesce(len(records.asked_questions), len(getvariable('questions')), 1)
order by records.draw
limit getvariable('size')
