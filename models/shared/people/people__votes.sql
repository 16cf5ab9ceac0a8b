with
events as (select * from {{ ref('stg_gainsay__votes') }}),

-- a reader can take back only the reader's own vote, an adjudicator their own ruling
undone_votes as (
    select distinct undoes, reader
    from events
    where kind = 'undo'
),

standing_votes as (
    select
        events.*,
        events.kind = 'ruling' as is_ruling,
        row_number() over (
            partition by
                events.benchmark, events.queue, events.record_id, events.reader, events.question,
                events.kind
            order by events.voted_at desc, events.event_id desc
        ) as place_from_last
    from events
    left join undone_votes
        on events.event_id = undone_votes.undoes and events.reader = undone_votes.reader
    where events.kind in ('vote', 'ruling') and undone_votes.undoes is null
)

select
    benchmark, queue, record_id, reader, question, event_id, record_md5, answer, note, is_ruling,
    voted_at
from standing_votes
where place_from_last = 1
