"""Requests to language models and what came back, into the raw tables.

A landed response is never deleted: what came first stays, and landing the same once more
changes nothing. Responses are known by where they came from: a batch's file by its content, an
answer of a server by its place in the store that holds it.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.foundation.atomic import atomic_file
from gainsay.foundation.chunked_files import ChunkedFile, measure_file
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import require_printable
from gainsay.foundation.queries import sql_beside
from gainsay.ingest.parquet_files import ParquetRows
from gainsay.ingest.sinks.raw_tables import RawTables
from gainsay.ingest.streams import lines_of

_RESPONSE = pa.schema(
    [
        ("custom_id", pa.string()),
        ("status", pa.int32()),
        ("body", pa.string()),
        ("error", pa.string()),
        ("_position", pa.int64()),
    ]
)
_REQUEST = pa.schema(
    [
        (name, pa.string())
        for name in ("custom_id", "task", "model", "prompt_sha256", "input_id", "body")
    ]
)
_HTTP_STATUSES = range(100, 600)
# how the error of a line begins that is no line of a batch's output
_NO_LINE = "not a line of a batch's output: "
_ROWS_PER_BATCH = 1_000
# halves of a UTF-16 pair: JSON can spell them, no text can hold them
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Request:
    """One question to a language model; `custom_id` names prompt version, model and input."""

    custom_id: str
    task: str
    model: str
    prompt_sha256: str
    input_id: str
    body: str


@dataclass(frozen=True)
class Response:
    """The response to a request, or why there is none; `custom_id` is null where not named."""

    custom_id: str | None
    status: int | None
    body: str | None
    error: str | None


@dataclass(frozen=True)
class ResponseLanding:
    """How many lines a batch's output has, and how many of them are none of such a file.

    `is_unchanged` where they were landed before.
    """

    n_lines: int
    n_unfit: int
    is_unchanged: bool


def land_requests(tables: RawTables, requests: Iterable[Request]) -> int:
    """Land requests in `raw.llm_requests`; those that are there stay. How many were new."""
    by_id = {request.custom_id: request for request in requests}
    with tables.transaction():
        known = tables.rows("llm_requests", ["custom_id"], {"custom_id": [*by_id]})
        for (custom_id,) in known:
            del by_id[custom_id]
        if by_id:
            rows = pa.RecordBatch.from_pylist([vars(request) for request in by_id.values()])
            stamp = {"_landed_at": datetime.now(UTC).replace(tzinfo=None)}
            tables.write("llm_requests", rows.schema, iter([rows]), stamp)
    return len(by_id)


def write_requests(connection: duckdb.DuckDBPyConnection, file: Path) -> int:
    """Write all landed requests to a Parquet file, for another warehouse to land; how many.

    Raises `GainsayError` where none is landed, or the file cannot be written.
    """
    relation = connection.sql(
        f"select {', '.join(_REQUEST.names)} from raw.llm_requests order by custom_id"
    )
    rows: pa.Table = relation.to_arrow_table()
    if not rows.num_rows:
        raise GainsayError("no requests are landed; `gainsay llm export` or `llm run` makes some")
    with atomic_file(file) as stream:
        pq.write_table(rows.cast(_REQUEST), stream, compression="zstd")
    return int(rows.num_rows)


def land_request_file(tables: RawTables, file: Path) -> int:
    """Land the requests that `write_requests` wrote; those that are there stay. How many were new.

    Raises `GainsayError` for a file of another kind.
    """
    measured = measure_file(file)
    with file.open("rb") as opened:
        rows = ParquetRows(file, opened, measured.n_bytes)
        if not rows.schema.equals(_REQUEST):
            raise GainsayError(
                f"{file}: has the columns {', '.join(rows.names)}; expected"
                f" {', '.join(_REQUEST.names)}, as `gainsay llm requests` writes them"
            )
        read = (row for batch in rows.batches(rows.names) for row in batch.to_pylist())
        return land_requests(tables, (Request(**row) for row in read))


def answered_requests(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The ids of the requests that a successful response is landed for.

    What came with status 200 and is no chat completion, such as a page of a proxy, answers none.
    """
    rows = connection.execute(sql_beside(__file__, "answered_requests")).fetchall()
    return {str(custom_id) for (custom_id,) in rows}


def land_batch_output(tables: RawTables, file: Path) -> ResponseLanding:
    """Land an output or error file of a batch, any number of times.

    A line that is no response lands, too, with its error: nothing is left out. Raises
    `GainsayError` when the file cannot be read.
    """
    require_printable(file)
    output = measure_file(file)
    n_lines = n_unfit = 0

    def responses() -> Iterator[tuple[int, Response]]:
        nonlocal n_lines, n_unfit
        for n_lines, line in enumerate(_lines(output), start=1):
            response = response_of_line(line)
            n_unfit += (response.error or "").startswith(_NO_LINE)
            yield n_lines - 1, response

    # by its content: two files of one name are two, and one that was moved is the same
    source_file = f"batches/{output.sha256}/{file.name}"
    with tables.transaction():
        is_unchanged = any(
            name.startswith(f"batches/{output.sha256}/")
            for name in tables.source_files("llm_responses")
        )
        if is_unchanged:
            for _ in responses():
                pass
        else:
            _write(tables, source_file, responses())
    return ResponseLanding(n_lines, n_unfit, is_unchanged)


def _lines(file: ChunkedFile) -> Iterator[bytes]:
    """The lines of a file that hold anything."""
    for part in lines_of(file.chunks()):
        yield from (line for line in part.splitlines() if line.strip())


def land_answers(tables: RawTables, store: str, responses: Iterable[Response]) -> int:
    """Land what a store of answers holds beyond what was landed of it before; how many.

    A store only grows, so that its first answers are those that were landed.
    """
    source_file = f"runs/{store}"
    with tables.transaction():
        landed = tables.rows("llm_responses", ["_position"], {"_source_file": [source_file]})
        return _write(tables, source_file, islice(enumerate(responses), len(landed), None))


def response_of_line(line: bytes) -> Response:
    """The response on one line of a batch's output, or why the line is not one."""
    try:
        entry = json.loads(line)
        response, failure = entry.get("response") or {}, entry.get("error")
        custom_id, status, body = (
            entry["custom_id"],
            response.get("status_code"),
            response.get("body"),
        )
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        return _no_response(_problem_of(error))
    if not isinstance(custom_id, str):
        return _no_response(f"custom_id is {custom_id!r:.100}, expected a text")
    if status is not None and (type(status) is not int or status not in _HTTP_STATUSES):
        problem = f"status_code is {status!r:.100}, expected 100 to 599"
        return _no_response(problem, _without_lone_surrogates(custom_id))
    return Response(
        _without_lone_surrogates(custom_id), status, _json_text(body), _json_text(failure)
    )


def _problem_of(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"no JSON, or cut short ({error.msg}; character {error.pos + 1:,})"
        case UnicodeDecodeError():
            return f"no UTF-8 at byte {error.start:,}"
        case RecursionError():
            return "values nested too deeply"
    return "no object with custom_id and response"


def _no_response(problem: str, custom_id: str | None = None) -> Response:
    return Response(
        custom_id,
        None,
        None,
        _without_lone_surrogates(f"{_NO_LINE}{problem}"),
    )


def _json_text(value: object) -> str | None:
    return (
        None if value is None else _without_lone_surrogates(json.dumps(value, ensure_ascii=False))
    )


def _without_lone_surrogates(text: str) -> str:
    """The text with a replacement character for each half of a surrogate pair."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def _write(tables: RawTables, source_file: str, responses: Iterable[tuple[int, Response]]) -> int:
    """Write responses with their positions; how many there were."""
    n_written = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal n_written
        while chunk := list(islice(numbered, _ROWS_PER_BATCH)):
            yield pa.RecordBatch.from_pylist(
                [asdict(response) | {"_position": position} for position, response in chunk],
                schema=_RESPONSE,
            )
            n_written += len(chunk)

    numbered = iter(responses)
    stamp = {
        "_source_file": source_file,
        "_landed_at": datetime.now(UTC).replace(tzinfo=None),
    }
    tables.write("llm_responses", _RESPONSE, batches(), stamp)
    return n_written
