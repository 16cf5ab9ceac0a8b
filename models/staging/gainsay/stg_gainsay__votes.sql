select
    event_id, kind, undoes, benchmark, queue, record_id, record_md5, question, answer, note, reader,
    _source_file as source_file,
    _position as file_position,
    voted_at,
    _landed_at as landed_at
from {{ source('raw', 'votes') }}
