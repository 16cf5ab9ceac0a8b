"""What people say of records: a sheet to fill in, and its way back into the raw tables.

A queue is what is asked of a benchmark's records. A row of its sheet carries a hash of the record
as it was written, so that a vote on a record that has changed since decides nothing.
"""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from gainsay.errors import GainsayError
from gainsay.io.atomic import write_atomically
from gainsay.io.sheets import cell_of_text, text_of_cell
from gainsay.io.whole_files import read_whole_file
from ingest.raw import rejected_records
from ingest.records import Rejection
from ingest.sinks.duckdb import ensure_raw_schema, insert_batches, transaction


@dataclass(frozen=True)
class Queue:
    """The records of a benchmark that are asked about, how they are shown, and what may be said."""

    benchmark: str
    name: str
    # a model with the columns `record_id`, `record_md5`, `split` and `draw`, and those shown
    source: str
    record_id: str
    shown: tuple[str, ...]
    verdicts: tuple[str, ...]


QUEUES: Mapping[str, Queue] = {
    "certainly_uncertain": Queue(
        benchmark="certainly_uncertain",
        name="verification",
        source="certainly_uncertain.certainly_uncertain__verification_queue",
        record_id="pair_id",
        shown=(
            "category", "source", "image_file", "object_words", "answerable_question",
            "answerable_answer", "unanswerable_question", "unanswerable_answer",
        ),
        verdicts=("keep", "drop", "wrong_category", "wrong_answer"),
    ),
}  # fmt: skip

_KEYS = ("benchmark", "queue", "record_id", "record_md5")
_ASKED = ("verdict", "note", "reader")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in (*_KEYS, *_ASKED)),
        ("_position", pa.int64()),
    ]
)


@dataclass(frozen=True)
class VoteLanding:
    """What became of the rows of a sheet; `n_open` are those that nobody has filled in yet."""

    n_landed: int
    n_open: int
    n_rejected: int
    is_unchanged: bool = False


def write_sheet(
    connection: duckdb.DuckDBPyConnection,
    file: Path,
    queue: Queue,
    split: str,
    size: int | None,
    reader: str,
) -> int:
    """Write the records of a split that the reader has not judged as they are; how many.

    Raises `GainsayError` where the records are not built, or `file` is there already: it may hold
    somebody's work.
    """
    if file.exists():
        raise GainsayError(f"{file}: there is such a file, perhaps filled in; name another one")
    try:
        rows = connection.execute(
            f"""
            select {queue.record_id}, record_md5, {", ".join(queue.shown)}
            from {queue.source} as records
            where split = $split and not exists (
                select 1 from staging.stg_gainsay__votes as votes
                where votes.benchmark = $benchmark and votes.queue = $queue
                    and votes.record_id = records.{queue.record_id}
                    and votes.record_md5 = records.record_md5
                    and votes.reader = $reader
            )
            order by draw
            limit $size
            """,
            {
                "split": split, "benchmark": queue.benchmark, "queue": queue.name,
                "reader": reader, "size": size,
            },
        ).fetchall()  # fmt: skip
    except duckdb.CatalogException as error:
        raise GainsayError(f"{queue.source}: not built; run `dbt build`") from error
    if rows:
        text = io.StringIO()
        # quotes whatever holds either sign of a line's end
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([*_KEYS, *queue.shown, *_ASKED])
        for row in rows:
            cells = (queue.benchmark, queue.name, *row, "", "", reader)
            writer.writerow([cell_of_text("" if cell is None else str(cell)) for cell in cells])
        write_atomically(file, text.getvalue().encode())
    return len(rows)


def land_sheet(connection: duckdb.DuckDBPyConnection, file: Path) -> VoteLanding:
    """Land a sheet; one of the same name replaces what it said before, the same changes nothing.

    A row that is not filled in stays open, and one that does not fit is a row of
    `raw.rejected_records` with its reason. Raises `GainsayError` where the file is no sheet.
    """
    try:
        sheet = read_whole_file(file)
        text = sheet.content.decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        rows = list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise GainsayError(f"{file}: no CSV in UTF-8: {error}") from error
    if missing := [name for name in (*_KEYS, *_ASKED) if name not in (reader.fieldnames or ())]:
        raise GainsayError(
            f"{file}: no sheet of `gainsay review export`: no column {', '.join(missing)}"
        )
    name = f"votes/{file.name}"
    votes, rejections, n_open = _read(rows)
    landing = VoteLanding(len(votes), n_open, len(rejections))
    with transaction(connection):
        ensure_raw_schema(connection)
        if _is_landed(connection, name, sheet.sha256):
            return VoteLanding(len(votes), n_open, len(rejections), is_unchanged=True)
        for table in ("votes", "rejected_records"):
            connection.execute(f"delete from raw.{table} where _source_file = ?", [name])
        stamp = {
            "_source_file": name,
            "_source_sha256": sheet.sha256,
            "_landed_at": datetime.now(UTC).replace(tzinfo=None),
        }
        batch = pa.RecordBatch.from_pylist(votes, schema=_SCHEMA)
        insert_batches(connection, "votes", _SCHEMA, iter([batch]), stamp)
        if rejections:
            records = rejected_records("votes", rejections)
            insert_batches(connection, "rejected_records", records.schema, iter([records]), stamp)
    return landing


def _is_landed(connection: duckdb.DuckDBPyConnection, name: str, sha256: str) -> bool:
    [(n_alike,)] = connection.execute(
        """
        select count(*) from (
            select _source_file, _source_sha256 from raw.votes
            union all
            select _source_file, _source_sha256 from raw.rejected_records
        )
        where _source_file = ? and _source_sha256 = ?
        """,
        [name, sha256],
    ).fetchall()
    return bool(n_alike)


_Row = dict[str, str | None]


def _read(rows: list[_Row]) -> tuple[list[dict[str, object]], list[Rejection], int]:
    """The votes, the rows that do not fit, and how many nobody has filled in."""
    votes: list[dict[str, object]] = []
    rejections: list[Rejection] = []
    n_open = 0
    judged: set[tuple[str, ...]] = set()
    for position, row in enumerate(rows):
        cells = {name: text_of_cell(row.get(name) or "").strip() for name in (*_KEYS, *_ASKED)}
        cells["verdict"] = cells["verdict"].lower()
        if not cells["verdict"]:
            n_open += 1
            continue
        key = tuple(cells[name] for name in ("benchmark", "queue", "record_id", "reader"))
        if unfit := _unfit(row, cells, is_second=key in judged):
            field, found, expected = unfit
            rejections.append(
                Rejection(position, field, found, expected, ",".join(cells.values())[:2_000])
            )
            continue
        judged.add(key)
        votes.append({**cells, "note": cells["note"] or None, "_position": position})
    return votes, rejections, n_open


def _unfit(row: _Row, cells: dict[str, str], *, is_second: bool) -> tuple[str, str, str] | None:
    """The field of a filled-in row that does not fit, what it holds and what was expected."""
    queue = QUEUES.get(cells["benchmark"])
    names = {queue.name} if queue else set()
    verdicts = queue.verdicts if queue else ()
    checks = [
        (None in row, "row", "more cells than columns", "one cell for each column"),
        (queue is None, "benchmark", cells["benchmark"], " or ".join(QUEUES)),
        (cells["queue"] not in names, "queue", cells["queue"], " or ".join(names)),
        *((not cells[name], name, "", "a name") for name in ("record_id", "record_md5", "reader")),
        (cells["verdict"] not in verdicts, "verdict", cells["verdict"], " or ".join(verdicts)),
        (is_second, "record_id", cells["record_id"], "one verdict of a reader on a record"),
    ]
    unfit = ((field, found or "nothing", wanted) for bad, field, found, wanted in checks if bad)
    return next(unfit, None)
