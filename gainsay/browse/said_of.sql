-- what people said of one candidate, the adjudicator's word last: the gates' queues name it with
-- its screening, those of what models doubt with its benchmark, the others of a benchmark by its id
select
    votes.reader, votes.is_ruling,
    coalesce(questions.text, votes.question) as question,
    coalesce(questions.answer_label, votes.answer) as answer,
    votes.note,
    strftime(votes.voted_at, '%Y-%m-%d') as said_on
from people.people__votes as votes
left join vocabulary.review_questions as questions using (benchmark, queue, question, answer)
where
    getvariable('candidate_id') is null
    or (
        votes.benchmark = getvariable('benchmark')
        and votes.record_id = getvariable('candidate_id')
    )
    or (
        votes.benchmark = 'evaluation'
        and votes.queue = 'suspects'
        and starts_with(
            votes.record_id,
            concat_ws('::', getvariable('benchmark'), getvariable('candidate_id'), '')
        )
    )
    or (
        votes.benchmark = 'audit'
        and votes.record_id = concat_ws(
            '::',
            getvariable('benchmark'), getvariable('screening'), getvariable('candidate_id')
        )
    )
order by votes.benchmark, votes.queue, questions.position, votes.is_ruling, votes.reader, question
