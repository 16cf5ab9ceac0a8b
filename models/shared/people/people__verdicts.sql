with
votes as (
    select * from {{ ref('people__votes') }}
    where not is_ruling
),

people_rulings as (
    select * from {{ ref('people__votes') }}
    where is_ruling
),

answers as (select * from {{ ref('review_questions') }}),

-- a vote with an answer that the question does not take, such as a flag, decides nothing
counted_answers as (
    select
        votes.benchmark, votes.queue, votes.record_id, votes.record_md5, votes.question,
        votes.answer, answers.is_accepting,
        count(*) as n_alike
    from votes
    inner join answers using (benchmark, queue, question, answer)
    group by
        votes.benchmark, votes.queue, votes.record_id, votes.record_md5, votes.question,
        votes.answer, answers.is_accepting
),

totals as (
    select
        *,
        sum(n_alike) over (
            partition by benchmark, queue, record_id, record_md5, question
        ) as n_votes
    from counted_answers
),

majorities as (
    select
        benchmark, queue, record_id, record_md5, question,
        max(case when n_alike * 2 > n_votes then answer end) as majority,
        max(n_votes) as n_votes,
        sum(case when is_accepting then n_alike else 0 end) as n_accepting,
        max(case when n_alike * 2 > n_votes and is_accepting then 1 else 0 end) as has_accepted
    from totals
    group by benchmark, queue, record_id, record_md5, question
),

-- where several adjudicators ruled, the last word counts
rulings as (
    select
        people_rulings.*,
        answers.is_accepting,
        row_number() over (
            partition by
                people_rulings.benchmark, people_rulings.queue, people_rulings.record_id,
                people_rulings.record_md5, people_rulings.question
            order by people_rulings.voted_at desc, people_rulings.event_id desc
        ) as place_from_last
    from people_rulings
    inner join answers using (benchmark, queue, question, answer)
)

-- a ruling settles what readers differ about, so that it stands only where somebody voted
select
    majorities.benchmark, majorities.queue, majorities.record_id, majorities.record_md5,
    majorities.question,
    coalesce(rulings.answer, majorities.majority, 'undecided') as verdict,
    cast(majorities.n_votes as bigint) as n_votes,
    cast(majorities.n_accepting as bigint) as n_accepting,
    case
        when rulings.answer is not null then rulings.is_accepting
        when majorities.majority is not null then majorities.has_accepted = 1
    end as is_accepted,
    rulings.answer is not null
    or majorities.n_votes
    >= coalesce(queues.votes_per_record, {{ var('review_votes_per_record') }}) as is_decided,
    rulings.answer is not null as is_settled
from majorities
inner join {{ ref('review_queues') }} as queues using (benchmark, queue)
left join rulings
    on
        majorities.benchmark = rulings.benchmark
        and majorities.queue = rulings.queue
        and majorities.record_id = rulings.record_id
        and majorities.record_md5 = rulings.record_md5
        and majorities.question = rulings.question
        and rulings.place_from_last = 1
