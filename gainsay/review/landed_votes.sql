-- what people said that has landed; what an earlier version landed of other times has no place
select
    event_id, kind, undoes, benchmark, queue, record_id, record_md5, question, answer, note, reader,
    strftime(voted_at, '%Y-%m-%dT%H:%M:%S.%fZ') as voted_at
from raw.votes
where voted_at between timestamp '1970-01-01' and timestamp '9000-01-01'
order by raw.votes.voted_at, _source_file, _position
